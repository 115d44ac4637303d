import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { neutralize } from '../../view/neutralize.ts'
import type { Style, Theme } from './theme.ts'

/** Text from anywhere, made safe and broken to lines of at most `width`. */
export function wrapText(theme: Theme, style: Style, text: string, width: number): string[] {
  return neutralize(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrapTextWithAnsi(line, Math.max(1, width))))
    .map((line) => theme.wrap(style, line))
}
