import { type Place, findIdentifier } from './identifier.ts'
import { languageOf } from './language.ts'
import type { Hit } from './tool-output.ts'

export type Role = 'definition' | 'import' | 'use' | 'comment' | 'string' | 'prose'

/** What a line does with a name, as far as the line alone shows it. */
export function roleOf(hit: Hit, name: string): Role {
  const [place] = findIdentifier(/^\s*\*/.test(hit.text) ? `/*${hit.text}` : hit.text, name, hit.path)
  if (!place || place.kind === 'code') return place ? roleInCode(hit, place) : 'use'
  return place.kind
}

const definer =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|union|impl|def|defp?|fn|func|fun|sub|module|namespace|record|const|let|var|val|static|define|defn|defun|macro_rules!|typedef|object|protocol|mod)\s+(?:\([^()]*\)\s*)?(?:self\.|\*|&|mut\s+)*$/
const importer =
  /^\s*(?:import|from|use|using|require|include|#include|export\s*\{|export\s+\*|const\s*\{[^}]*\}\s*=\s*require)/

const typedFirst = new Set(['C', 'C++', 'Java', 'C#', 'Dart'])

function roleInCode({ text, path }: Hit, { at, length }: Place): Role {
  const before = text.slice(0, at)
  const after = text.slice(at + length)
  if (importer.test(text)) return 'import'
  if (definer.test(before)) return 'definition'
  const language = languageOf(path).name
  if (language === 'CSS' || language === 'Sass')
    return /[.#]$/.test(before) && !/[;}]\s*$/.test(text) ? 'definition' : 'use'
  if (language === 'Shell') return /^\s*$/.test(before) && /^(?:\s*\(\)|=)/.test(after) ? 'definition' : 'use'
  const isMethod =
    /^\s*(?:(?:async|static|public|private|protected|get|set)\s+)*$/.test(before) &&
    /^\s*\([^;]*\)\s*(?::[^={]+)?\{\s*$/.test(after)
  if (isMethod || !typedFirst.has(language)) return isMethod ? 'definition' : 'use'
  // Type before, parameters and an opening brace after: a C-like function or method.
  const isTyped =
    /(?:^|[\s*&>\]])[\w:<>[\],*&]+[\s*&]+(?:\w+::)?$/.test(before) &&
    !/\b(?:return|new|else|throw|await|yield|in|of|case)\s+$/.test(before)
  const opens =
    /^\s*\([^;]*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:throws [\w., ]+)?[{:]?\s*(?:\/\/.*)?$/.test(after) &&
    !/;\s*$/.test(after)
  return isTyped && opens ? 'definition' : 'use'
}
