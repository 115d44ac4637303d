import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>

/** A database whose statements are prepared when first used, and kept. */
export interface PreparedDatabase {
  run(sql: string, ...values: SQLInputValue[]): { lastInsertRowid: number }
  first(sql: string, ...values: SQLInputValue[]): Row | undefined
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** Rows as arrays of columns, one at a time. */
  rows(sql: string, ...values: SQLInputValue[]): Iterable<unknown>
  /** Everything that is read inside is from the same moment. */
  snapshot<T>(work: () => T): T
  /** All of the work is stored when this returns, or none of it when this throws. */
  transact<T>(work: () => T): T
  /**
   * The same without waiting for the disk, for what means nothing once every process has ended. A later `transact`
   * stores it too; only a power cut before that loses it.
   */
  transactSoon<T>(work: () => T): T
  close(): void
}

export function prepareDatabase(database: DatabaseSync): PreparedDatabase {
  const statements = new Map<string, StatementSync>()

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  function within<T>(begin: string, work: () => T): T {
    prepared(begin).run()
    try {
      const result = work()
      prepared('COMMIT').run()
      return result
    } catch (error) {
      // SQLite has already rolled back after some failures, a full disk for one.
      if (database.isTransaction) prepared('ROLLBACK').run()
      throw error
    }
  }

  return {
    run: (sql, ...values) => ({ lastInsertRowid: Number(prepared(sql).run(...values).lastInsertRowid) }),
    first: (sql, ...values) => prepared(sql).get(...values),
    all: (sql, ...values) => prepared(sql).all(...values),
    rows(sql, ...values) {
      const statement = prepared(sql)
      statement.setReturnArrays(true)
      return statement.iterate(...values)
    },
    snapshot: (work) => within('BEGIN', work),
    // Takes the write lock at once: what is read inside stays true until the commit.
    transact: (work) => within('BEGIN IMMEDIATE', work),
    transactSoon(work) {
      // Not prepared: such a statement may take effect when it is prepared instead of when it is run.
      database.exec('PRAGMA synchronous = NORMAL')
      try {
        return within('BEGIN IMMEDIATE', work)
      } finally {
        database.exec('PRAGMA synchronous = FULL')
      }
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}
