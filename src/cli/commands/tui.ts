import { startTui } from '../../tui/start.ts'
import type { Beginning } from '../../tui/host.ts'
import type { Args } from '../args.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { findFolder } from '../places.ts'

/** `conclave [prompt]`: the terminal UI. Only what the first frame needs is loaded before it is drawn. */
export async function tui(args: Args): Promise<ExitCode> {
  const folder = findFolder(args)
  await startTui(beginningOf(args, folder), async () =>
    (await import('../tui-host.ts')).bootTui(args, folder),
  )
  return exitCodes.done
}

/** What the command line says about how to begin. */
export function beginningOf(args: Args, folder: string): Beginning {
  const prompt = args.words.join(' ').trim()
  const pictures = args.values('image')
  return {
    folder,
    ...(prompt && { prompt }),
    ...(pictures.length > 0 && { pictures }),
    config: {
      ...(args.has('plan') && { agent_mode: 'Plan' }),
      ...(args.has('single') && { team_mode: 'single' }),
      ...(args.has('multi') && { team_mode: 'multi' }),
      ...(args.value('single') !== undefined && { active_agent: args.value('single') }),
      ...(args.has('refine') && { refinement: true }),
      ...(args.has('no-refine') && { refinement: false }),
    },
    color: !args.has('no-color') && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    alternate_screen: !args.has('no-alt-screen'),
    leave_transcript: args.has('print-transcript'),
  }
}
