export interface WebPage {
  /** Where the redirects ended. */
  url: string
  status: number
  /** Without parameters, in lower case; empty when the server did not say. */
  content_type: string
  text: string
  /** The page was longer than we read. */
  cut: boolean
}

/** Reads public pages. Never throws: what cannot or may not be read is refused with the reason. */
export interface Web {
  get(url: string, signal: AbortSignal): Promise<WebPage | { refused: string }>
}
