import { expect, it } from 'vitest'
import { htmlToText } from './web-fetch-html.ts'

const show = (html: string): string => htmlToText(html, 'https://example.org/docs/page')

it('keeps what a person reads', () => {
  const html = `<!doctype html><html><head><title>Guide &amp; more</title>
    <style>p { color: red }</style><script>if (a < b) alert("</p>")</script></head>
    <body><h1>Start</h1><p>Some <b>bold</b>
      text.<br>Next&nbsp;line &#8212; &#x1F600; &unknown;</p>
    <ul><li>one</li><li>two <a href="/far">link</a></li></ul>
    <pre>  kept
    as is</pre><img src="x" alt="a cat"><table><tr><td>1</td><td>2</td></tr></table></body></html>`
  expect(show(html)).toBe(
    [
      'Guide & more',
      '',
      '# Start',
      '',
      'Some bold text.',
      'Next line — 😀 &unknown;',
      '',
      '- one',
      '- two link (https://example.org/far)',
      '',
      '  kept',
      '    as is',
      '',
      '[image: a cat]',
      '',
      '1 | 2 |',
    ].join('\n'),
  )
})

it.each([
  ['a < b and c > d', 'a < b and c > d'],
  ['<p title="a > b">x</p>', 'x'],
  ['before<!-- <p>hidden</p> -->after', 'beforeafter'],
  ['shown<!-- never closed <p>hidden', 'shown'],
  ['shown<script>never closed', 'shown'],
  ['<SCRIPT>x</script ><p>y', 'y'],
  ['<script>"</scripty>" z</script>y', 'y'],
  ['x<a href="javascript:alert(1)">y</a>', 'xy'],
  ['<a href="#top">up</a>', 'up'],
  ['<p', ''],
  ['</', ''],
  ['&#0;&#xD800;&#9999999;', '\ufffd\ufffd\ufffd'],
  ['&constructor; &__proto__;', '&constructor; &__proto__;'],
  ['İ<script>x</script>y', 'İy'],
])('reads %j', (html, text) => {
  expect(show(html)).toBe(text)
})

it.each([
  '<',
  '<a ',
  '<!--',
  '<script>',
  '</',
  '&',
  '<a href="',
  " href='",
  '&#',
  '<p>',
  '<li><a href=x>',
  '<pre>',
])('takes no more than its length for a page of %j only', (piece) => {
  const time = (size: number): number => {
    const html = piece.repeat(size / piece.length)
    const start = performance.now()
    show(html)
    return performance.now() - start
  }
  time(50_000)
  // Quadratic work would take hours for the long one.
  expect(time(5_000_000)).toBeLessThan(20_000)
})
