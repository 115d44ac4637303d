import type { PageLine, PageModal } from '../state/modal.ts'

const keys: [string, string][] = [
  ['Enter', 'send; while agents work: tell them now'],
  ['Alt+Enter', 'while agents work: send when they are done'],
  ['Shift+Enter, Ctrl+J', 'new line'],
  ['Shift+Tab', 'Plan / Act'],
  ['Tab, 1-9', 'agent tab (with an empty input)'],
  ['Esc', 'interrupt, close; twice: rewind to an earlier message'],
  ['Ctrl+C', 'clear the input; twice: leave'],
  ['Ctrl+O', 'after a vote: override; else: show all of the tool results'],
  ['click on ↳', 'what a sub-agent or a launched team does; Esc goes back'],
  ['Ctrl+V', "a picture or text from the clipboard (or paste a picture's path)"],
  ['Ctrl+R', 'earlier prompts'],
  ['Ctrl+F', 'search the transcript'],
  ['Ctrl+G', 'write the input in your editor'],
  ['Ctrl+L', 'draw the screen anew'],
  ['PageUp, PageDown, wheel', 'scroll'],
  ['@file  !command  /command', 'name a file, run a command, give an order'],
  ['mouse', 'every toggle, tab, button and option; drag to select and copy'],
]

/** Where what a key or a command does begins. */
const COLUMN = 29

export function helpPage(commands: readonly { name: string; about: string; takes?: string }[]): PageModal {
  const lines: PageLine[] = [
    { text: 'Keys', style: 'bold' },
    ...keys.map(([key, what]) => ({ text: `  ${key.padEnd(26)} ${what}`, hang: COLUMN })),
    { text: '' },
    { text: 'Commands', style: 'bold' },
    ...commands.map(({ name, about, takes }) => ({
      text: `  ${`/${name}${takes ? ` <${takes}>` : ''}`.padEnd(26)} ${about}`,
      hang: COLUMN,
    })),
  ]
  return { kind: 'page', title: 'Help', lines, scroll: 0 }
}
