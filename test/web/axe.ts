import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** What axe finds to be serious or worse on the page as it is. */
export async function faults(page: Page): Promise<string[]> {
  // The page's own policy lets no text run; the test may.
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  await session.send('Runtime.evaluate', { expression: axeSource })
  const found = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
    awaitPromise: true,
    returnByValue: true,
  })
  return (found.result.value as string[] | undefined) ?? ['axe did not run']
}
