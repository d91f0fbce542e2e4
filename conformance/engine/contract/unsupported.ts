/** The contract says something that the suite cannot try: what concerns it is skipped, for this reason. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}
