/** Statements of the SQLite journal. Parameters are positional, in the order given. */
export const SQL = {
  /** stream, stream */
  head: `SELECT coalesce((SELECT last FROM heads WHERE stream = ?), 0) AS last,
    (SELECT fence FROM owners WHERE stream = ?) AS fence`,

  insertEvent: 'INSERT INTO events (stream, seq, v, at, body, sum) VALUES (?, ?, ?, ?, ?, ?)',

  setHead: 'INSERT OR REPLACE INTO heads (stream, last) VALUES (?, ?)',

  /** stream, after */
  events: 'SELECT seq, v, at, body, sum FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?',

  /** stream, kind, title, folder, status, at, at; then title, folder and status again, null where they stay */
  upsertEntry: `INSERT INTO entries (stream, kind, title, folder, status, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (stream) DO UPDATE SET kind = excluded.kind, updated_at = excluded.updated_at,
      title = coalesce(?, title), folder = coalesce(?, folder), status = coalesce(?, status)`,

  entry: `SELECT stream, kind, title, folder, status, created_at, updated_at FROM entries WHERE stream = ?`,

  entries: `SELECT stream, kind, title, folder, status, created_at, updated_at FROM entries WHERE kind = ?
    ORDER BY updated_at DESC, created_at DESC, stream`,

  /** query, limit; the newest first among equals */
  search: `SELECT texts.stream, coalesce(entries.title, '') AS title,
      snippet(texts_index, 0, '', '', '…', 24) AS excerpt, texts.at
    FROM texts_index JOIN texts ON texts.id = texts_index.rowid LEFT JOIN entries USING (stream)
    WHERE texts_index MATCH ? ORDER BY texts_index.rank, texts.id DESC LIMIT ?`,

  /** The index has no copy of the text and must be given what to forget. */
  unindexTexts: `INSERT INTO texts_index (texts_index, rowid, text)
    SELECT 'delete', id, text FROM texts WHERE stream = ?`,

  children: 'SELECT child FROM links WHERE parent = ?',
  parents: 'SELECT parent FROM links WHERE child = ?',

  /** stream, owner, acquired_at; REPLACE gives the row a new fence */
  replaceOwner: 'INSERT OR REPLACE INTO owners (stream, owner, acquired_at) VALUES (?, ?, ?)',

  owner: `SELECT fence, owner, max(acquired_at, coalesce((SELECT at FROM events
      WHERE events.stream = owners.stream ORDER BY seq DESC LIMIT 1), '')) AS last_sign
    FROM owners WHERE stream = ?`,

  deleteOwner: 'DELETE FROM owners WHERE fence = ?',
}
