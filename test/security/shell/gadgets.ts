import { fileGadgets } from './gadgets-files.ts'
import { leakGadgets } from './gadgets-leaks.ts'
import { programGadgets } from './gadgets-programs.ts'

/**
 * A name, the program it needs beyond a shell (empty: none), and a command that has an effect although it looks, or could
 * be mistaken for something that looks, as if it had none. `@…@` is replaced by what belongs to the world it runs in.
 */
export type Gadget = [name: string, needs: string, command: string]

export const gadgets: Gadget[] = [...fileGadgets, ...programGadgets, ...leakGadgets]
