/** The refusal of a request by the library. */
export class LibraryRefusal extends Error {
  override name = 'LibraryRefusal';
  readonly status: number;
  /** The message in the body of the response. */
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}
