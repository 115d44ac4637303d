import { neutralize } from '../../view/neutralize.ts'

export type Style =
  | 'text'
  | 'bold'
  | 'dim'
  | 'border'
  | 'accent'
  | 'plan'
  | 'act'
  | 'wait'
  | 'error'
  | 'success'
  | 'added'
  | 'removed'
  | 'code'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'selected'
  | 'match'
  | 'disabled'
  | 'italic'
  | 'underline'
  | 'strike'

export type ThemeName = 'dark' | 'light'

export interface Theme {
  name: ThemeName
  color: boolean
  /** Styled text. What it is given is neutralised, whoever wrote it: it may hold no line break afterwards. */
  paint(style: Style, text: string): string
  /** Styles what is already safe. */
  wrap(style: Style, safe: string): string
}

export function makeTheme(name: ThemeName, color: boolean): Theme {
  const codes = color ? { ...attributes, ...palettes[name] } : attributes
  const wrap = (style: Style, safe: string): string => {
    const code = codes[style]
    return code === undefined || safe === '' ? safe : `\u001b[${code}m${safe}\u001b[${closing(code)}m`
  }
  return { name, color, wrap, paint: (style, text) => wrap(style, oneLine(text)) }
}

/** Safe to draw in one line: nothing a terminal acts on, tabs as blanks, line breaks shown. */
export function oneLine(text: string): string {
  const safe = neutralize(text)
  return /[\t\n]/.test(safe) ? safe.replaceAll('\t', '  ').replaceAll('\n', '␊') : safe
}

/** Ends exactly what the code began, so that styles can be put into each other. */
function closing(code: string): string {
  const parts = code.replaceAll(/;5;\d+/g, '').split(';')
  return parts.map((part) => closers[part] ?? '0').join(';')
}

const closers: Record<string, string> = {
  '1': '22',
  '2': '22',
  '3': '23',
  '4': '24',
  '7': '27',
  '9': '29',
  '38': '39',
  '48': '49',
}

/** NO_COLOR takes colours away, not weight. */
const attributes: Partial<Record<Style, string>> = {
  bold: '1',
  italic: '3',
  underline: '4',
  strike: '9',
  dim: '2',
  border: '2',
  disabled: '2',
  selected: '7',
  match: '7',
  plan: '1',
  act: '1',
  wait: '1',
  error: '1',
  removed: '2',
}

/** `theme.test.ts` holds them to WCAG contrasts on black and on white; where text has a ground, it has both colours. */
const palettes: Record<ThemeName, Partial<Record<Style, string>>> = {
  dark: {
    dim: '38;5;246',
    border: '38;5;241',
    disabled: '38;5;243',
    accent: '38;5;147',
    plan: '38;5;75',
    act: '38;5;114',
    wait: '38;5;215',
    error: '38;5;203',
    success: '38;5;114',
    added: '38;5;114',
    removed: '38;5;210',
    code: '38;5;180',
    keyword: '38;5;176',
    string: '38;5;150',
    number: '38;5;215',
    comment: '38;5;244',
    selected: '38;5;255;48;5;238',
    match: '38;5;16;48;5;215',
  },
  light: {
    dim: '38;5;242',
    border: '38;5;245',
    disabled: '38;5;245',
    accent: '38;5;55',
    plan: '38;5;26',
    act: '38;5;28',
    wait: '38;5;130',
    error: '38;5;160',
    success: '38;5;28',
    added: '38;5;28',
    removed: '38;5;124',
    code: '38;5;94',
    keyword: '38;5;90',
    string: '38;5;28',
    number: '38;5;130',
    comment: '38;5;243',
    selected: '38;5;16;48;5;254',
    match: '38;5;16;48;5;222',
  },
}
