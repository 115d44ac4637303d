import path from 'node:path'

/**
 * What pi-tui does too slowly for us, changed on its way into the bundle. A pi-tui that no longer looks like this ends the
 * build.
 */
export function patchPiTui(root) {
  const graphemes = JSON.stringify(path.join(root, 'src/tui/draw/graphemes.ts'))
  const files = {
    'utils.js': [
      [/^/, `import { emoji, graphemes, isPlain, words } from ${graphemes};\n`],
      ...plainTextFirst,
    ],
    'stdin-buffer.js': longPastes,
    'editor.js': pastesWhole,
  }
  return {
    name: 'patch-pi-tui',
    transform: {
      filter: { id: /pi-tui[\\/]dist[\\/](utils|stdin-buffer|components[\\/]editor)\.js$/ },
      handler: (code, id) => ({ code: files[path.basename(id)].reduce(replaceOnce, code), map: null }),
    },
  }
}

/** Plain text needs nothing of Unicode's data, which would take 60 ms of every start (src/tui/draw/graphemes.ts). */
const plainTextFirst = [
  [/new Intl\.Segmenter\(undefined, \{ granularity: "grapheme" \}\)/, 'graphemes'],
  [/new Intl\.Segmenter\(undefined, \{ granularity: "word" \}\)/, 'words'],
  [/\/\^\\p\{RGI_Emoji\}\$\/v/, 'emoji'],
  [
    /function graphemeWidth\(segment\) \{/,
    '$&\n    if (segment.length === 1 && isPlain(segment.charCodeAt(0))) return 1;',
  ],
  // A single code point that is an emoji is wide by its East Asian width already.
  [
    /if \(couldBeEmoji\(segment\) && rgiEmojiRegex/,
    'if (couldBeEmoji(segment) && segment.length > String.fromCodePoint(segment.codePointAt(0)).length && rgiEmojiRegex',
  ],
]

/** A paste comes in pieces: only the new one is searched for its end, and they are joined once. */
const longPastes = [
  [
    /this\.pasteBuffer \+= this\.buffer;\s+this\.buffer = "";/,
    `(this.pieces ??= [this.pasteBuffer]).push(this.buffer);
            const seam = this.pieces.at(-2).slice(-BRACKETED_PASTE_END.length + 1) + this.buffer;
            this.buffer = "";
            // A short piece may lie wholly in the end mark.
            if (seam.length > 2 * BRACKETED_PASTE_END.length && !seam.includes(BRACKETED_PASTE_END)) return;
            this.pasteBuffer = this.pieces.join("");
            this.pieces = undefined;`,
  ],
]

/** Ten megabytes are not taken apart into ten million strings. */
const pastesWhole = [
  [
    /\.split\(""\)\s+\.filter\(\(char\) => char === "\\n" \|\| char\.charCodeAt\(0\) >= 32\)\s+\.join\(""\)/,
    '.replaceAll(/[\\x00-\\x09\\x0b-\\x1f]/g, "")',
  ],
]

function replaceOnce(code, [found, replacement]) {
  const next = code.replace(found, replacement)
  if (next === code) throw new Error(`patch-pi-tui: pi-tui has changed, ${found} is not in it any more`)
  return next
}
