/** The default export of the module that `--hooks` names. All members are optional. */
export interface Hooks {
  /** Header fields to add to a request, such as its signature. No report shows them. */
  beforeRequest?(request: Request): Fields | undefined | Promise<Fields | undefined>;
  /**
   * Checks the response to an operation.
   * @returns a sentence that says what is wrong; undefined if nothing is wrong
   */
  checkResponse?(call: Call): string | undefined | Promise<string | undefined>;
  /** Your own requirements, by name: reports call them `own.NAME`. */
  laws?: Record<string, Law>;
}

export interface Law {
  /** The rule, in one sentence. */
  sentence: string;
  /**
   * Tried once.
   * @returns a sentence that says what is wrong; undefined if the rule holds
   */
  check(service: Service): Promise<string | undefined>;
}

export interface Service {
  /**
   * Calls an operation of the contract. A resource that a DELETE can remove is removed after the
   * check.
   */
  call(operationId: string, input?: Input): Promise<Response>;
  /**
   * A valid input for the operation: a resource for each parameter of its path, created by the
   * operations of the contract, required parameters, and a valid body. The check is skipped if
   * nothing says how to reach the operation.
   */
  valid(operationId: string): Promise<Input>;
}

export interface Input {
  /** Path parameters, not encoded. */
  path?: Record<string, string>;
  /** A list if a name occurs several times. */
  query?: Record<string, string> | [name: string, value: string][];
  /** The body: JSON, or the values of the form that the operation takes instead. */
  json?: unknown;
  headers?: Fields;
}

export interface Request {
  method: string;
  /** Path and query, after the base URL. */
  target: string;
  headers: Fields;
  body?: string | Buffer;
}

export interface Response {
  status: number;
  headers: Fields;
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

export interface Call {
  operationId: string;
  input: Input;
  response: Response;
}

/** Names in lower case. */
type Fields = Record<string, string>;
