/** A config that is refused is shown to the person who wrote it, and lands in their logs: without the keys in it. */
export function hideKeys(source: string): string {
  return source.replaceAll(literal, '$1[key]').replaceAll(misplaced, '$1 [key]').replaceAll(keyLike, '[key]')
}

/** A text without anything that looks like a key. */
export const maskKeys = (text: string): string => text.replaceAll(keyLike, '[key]')

/** Whether a value looks like a key of one of the usual services. */
export const looksLikeKey = (text: string): boolean => text.search(keyLike) >= 0

/** Whether something by this name is meant to be kept to oneself. */
export const isSecretName = (name: string): boolean => secretName.test(name)

const secretName =
  /(?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|credential|authorization|cookie)$/i
const literal =
  /((?:^|[\s{,"'])[\w-]*(?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|authorization|cookie)["']?[ \t]*:[ \t]*)(?![ \t]*["']?\$\{?\w+\}?["']?[ \t]*(?:[\r\n,}#]|$))[^\s,}][^\n,}]*/gi
/** A key where the name of its variable belongs. */
const misplaced = /(api_key_env["']?[ \t]*:)(?![ \t]*["']?[A-Za-z_]\w*["']?[ \t]*(?:[\r\n,}#]|$))[^\n,}]+/g
const keyLike =
  /\b(?:sk|pk|rk|gsk|csk|xai|hf|r8|tvly|nvapi|pplx|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AIza|AKIA|BSA|eyJ)[-_]?(?=[\w.-]*\d)[\w.-]{16,}/g
