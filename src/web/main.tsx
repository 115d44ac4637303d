import { createRoot } from 'react-dom/client'
import { ClientError } from '../client/client.ts'
import { httpClient } from '../client/http.ts'
import { App } from './app.tsx'
import { httpExtras } from './store/extras.ts'

const element = document.getElementById('app')
if (element) void start(element)

async function start(element: HTMLElement): Promise<void> {
  const client = httpClient({ url: '' })
  const root = createRoot(element)
  try {
    const roster = await client.roster()
    root.render(<App client={client} extras={httpExtras()} roster={roster} />)
  } catch (error) {
    root.render(<Unreachable error={error} />)
  }
}

function Unreachable({ error }: { error: unknown }) {
  const isStranger = error instanceof ClientError && error.status === 401
  return (
    <main className="welcome">
      <h1>{isStranger ? 'This page is not signed in' : 'The server does not answer'}</h1>
      <p>
        {isStranger
          ? 'Open the address that conclave serve printed: it carries the token.'
          : `${error instanceof Error ? error.message : String(error)}. Start it again with conclave serve, then reload.`}
      </p>
    </main>
  )
}
