/** `conclave/client`: talks to `conclave serve`, from Node or a browser. */
export {
  type ChatChanges,
  type ChatFeed,
  type ChatHit,
  type ChatSummary,
  type Client,
  ClientError,
  type OpenOptions,
  type Roster,
  type RosterAgent,
} from '../client/client.ts'
export type { HttpOptions } from '../client/http-connection.ts'
export { httpClient } from '../client/http.ts'
export {
  LARGEST_PICTURE_BYTES,
  MOST_PICTURES,
  type NamedPicture,
  type Picture,
  type PictureType,
} from '../schema/picture.ts'
