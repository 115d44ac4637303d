import { decodeKittyPrintable, parseKey } from '@earendil-works/pi-tui'
import type { Key } from '../modals/modal-key.ts'

const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/

/** What was pressed, from the bytes of one key; a paste is one key named `paste`. */
export function readKey(data: string): Key {
  const pasted = PASTE.exec(data)
  if (pasted) return { name: 'paste', text: (pasted[1] ?? '').replaceAll(/\r\n?/g, '\n') }
  const name = parseKey(data) ?? data
  const text = decodeKittyPrintable(data) ?? (isPrintable(data) ? data : undefined)
  return { name, ...(text !== undefined && { text }) }
}

// eslint-disable-next-line no-control-regex
const isPrintable = (data: string): boolean => data !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(data)
