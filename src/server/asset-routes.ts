import type { Access } from './access.ts'
import type { App } from './app.ts'
import type { ServerParts } from './parts.ts'

const PAGE = 'index.html'

/** The page and its files: those that are there at the start and no others, so that no path is ever looked up. */
export function addAssetRoutes(app: App, { assets }: ServerParts, access: Access): void {
  app.get('/', (context) => {
    const token = context.req.query('token')
    if (token !== undefined && access.knowsToken(token)) {
      // The token does not stay in the address bar, where it would be seen and kept.
      context.header('set-cookie', access.setCookie())
      return context.redirect('/', 303)
    }
    const page = assets.get(PAGE)
    if (!page)
      return context.text('The page is not part of this build; the API is at /api/openapi.json.', 404)
    return context.body(page.body, 200, { 'content-type': page.type })
  })

  app.get('/:name', (context) => {
    const asset = assets.get(context.req.param('name'))
    if (!asset) return context.notFound()
    const kept = /[-.][\w-]{8,}\.\w+$/.test(context.req.param('name'))
    if (kept) context.header('cache-control', 'private, max-age=31536000, immutable')
    return context.body(asset.body, 200, { 'content-type': asset.type })
  })
}
