/** The module that `--hooks` names has these as its default export. All of them are optional. */
export interface Hooks {
  /** Header fields to add to a request, such as its signature. They are in no report. */
  beforeRequest?(request: Request): Fields | undefined | Promise<Fields | undefined>;
  /** A sentence that says what is wrong with the response to an operation; undefined where nothing is. */
  checkResponse?(call: Call): string | undefined | Promise<string | undefined>;
  /** Requirements of your own, by name: reports call them `own.NAME`. */
  laws?: Record<string, Law>;
}

export interface Law {
  /** The rule, in one sentence. */
  sentence: string;
  /** Tried once. @returns what is wrong, in one sentence; undefined where the rule holds */
  check(service: Service): Promise<string | undefined>;
}

export interface Service {
  /** Calls an operation of the contract. What a DELETE can remove is removed after the check. */
  call(operationId: string, input?: Input): Promise<Response>;
  /** What a call of the operation needs: a resource for each parameter of its path, made by the operations that make
   * them, required parameters, and a valid body. The check is skipped where nothing says how to reach the operation. */
  valid(operationId: string): Promise<Input>;
}

export interface Input {
  /** Path parameters, undecoded. */
  path?: Record<string, string>;
  /** A list where a name comes several times. */
  query?: Record<string, string> | [name: string, value: string][];
  /** The body: JSON, or the form that the operation takes in its place. */
  json?: unknown;
  headers?: Fields;
}

export interface Request {
  method: string;
  /** Path and query, behind the base URL. */
  target: string;
  headers: Fields;
  body?: string | Buffer;
}

export interface Response {
  status: number;
  headers: Fields;
  text: string;
  /** Undefined where the body is not JSON. */
  json: unknown;
}

export interface Call {
  operationId: string;
  input: Input;
  response: Response;
}

/** Names in lower case. */
type Fields = Record<string, string>;
