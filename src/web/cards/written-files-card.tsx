import { neutralize } from '../../view/neutralize.ts'
import type { WrittenFiles } from '../../view/transcript-item.ts'

/** What was written where the person's files are. */
export function WrittenFilesCard({ item }: { item: WrittenFiles }) {
  const { files, footer } = item
  if (files.length === 0) return null
  return (
    <footer className="written" data-card="WrittenFilesCard">
      {footer === undefined ? (
        <>
          <p className="muted small">Files written:</p>
          <ul>
            {files.map(({ path, change }) => (
              <li key={path}>
                <code>{neutralize(path)}</code> <span className="muted small">({change})</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <pre className="footer-words">{neutralize(footer)}</pre>
      )}
    </footer>
  )
}
