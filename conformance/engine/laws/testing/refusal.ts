/** Why the library does not do what a request asks for. */
export class LibraryRefusal extends Error {
  override name = 'LibraryRefusal';
  readonly status: number;
  /** What the body of the response says. */
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}
