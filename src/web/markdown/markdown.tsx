import { Fragment, type ReactNode, memo, useMemo } from 'react'
import { highlight } from './highlight.ts'
import { type Block, parseBlocks } from './parse-blocks.ts'
import { type Inline, parseInline } from './parse-inline.ts'
import { safeLink } from './safe-link.ts'

/** Text of a model as elements. Nothing in it becomes markup of its own, and nothing is loaded from anywhere. */
export const Markdown = memo(({ text }: { text: string }) => {
  const blocks = useMemo(() => parseBlocks(text), [text])
  return <div className="prose">{blocks.map(blockElement)}</div>
})

function blockElement(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p key={key}>
          <Words text={block.text} />
        </p>
      )
    case 'heading': {
      // The page has one h1 and cards have h2: what a model writes comes below those.
      const Tag = block.level <= 1 ? 'h3' : block.level === 2 ? 'h4' : 'h5'
      return (
        <Tag key={key}>
          <Words text={block.text} />
        </Tag>
      )
    }
    case 'code':
      return <CodeBlock key={key} text={block.text} language={block.language} />
    case 'quote':
      return <blockquote key={key}>{block.blocks.map(blockElement)}</blockquote>
    case 'rule':
      return <hr key={key} />
    case 'table':
      return <Table key={key} {...block} />
    case 'list': {
      const items = block.items.map((inner, index) => <li key={index}>{itemElements(inner)}</li>)
      return block.ordered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      )
    }
  }
}

/** A lone paragraph needs no paragraph around it. */
function itemElements(blocks: Block[]): ReactNode {
  return blocks.map((block, index) =>
    block.kind === 'paragraph' ? <Words key={index} text={block.text} /> : blockElement(block, index),
  )
}

function Table({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index}>
                <Words text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Words text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const CodeBlock = memo(({ text, language = '' }: { text: string; language?: string }) => {
  const tokens = useMemo(() => highlight(text, language), [text, language])
  return (
    <pre className="code" tabIndex={0} aria-label={language ? `Code, ${language}` : 'Code'}>
      <code>
        {tokens.map(({ kind, text: part }, index) =>
          kind === 'plain' ? (
            part
          ) : (
            <span key={index} className={`tok-${kind}`}>
              {part}
            </span>
          ),
        )}
      </code>
    </pre>
  )
})

/** One line of text of a model: emphasis, code and links, nothing larger. */
export const Words = memo(({ text }: { text: string }) => {
  const inlines = useMemo(() => parseInline(text), [text])
  return <>{inlines.map(inlineElement)}</>
})

function inlineElement(inline: Inline, key: number): ReactNode {
  switch (inline.kind) {
    case 'text':
      return <Fragment key={key}>{inline.text}</Fragment>
    case 'code':
      return <code key={key}>{inline.text}</code>
    case 'strong':
      return <strong key={key}>{inline.children.map(inlineElement)}</strong>
    case 'emphasis':
      return <em key={key}>{inline.children.map(inlineElement)}</em>
    case 'deleted':
      return <del key={key}>{inline.children.map(inlineElement)}</del>
    case 'break':
      return <br key={key} />
    case 'image':
      return (
        <span key={key} className="no-image">
          image not loaded: {inline.text || 'no description'} <code>{inline.url.slice(0, 200)}</code>
        </span>
      )
    case 'link':
      return <Link key={key} url={inline.url} words={inline.children} />
  }
}

/** The host is shown unless the words already are the address: words can lie. */
function Link({ url, words }: { url: string; words: Inline[] }) {
  const safe = safeLink(url)
  const children = words.map(inlineElement)
  if (!safe) return <>{children}</>
  const honest = words.length === 1 && words[0]?.kind === 'text' && words[0].text === url
  return (
    <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      {honest ? null : <span className="host"> ({safe.host})</span>}
    </a>
  )
}
