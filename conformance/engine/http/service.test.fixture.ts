/** A service in memory: tests say how it responds, and see what was sent. */
import { parseContract } from '../contract/load.ts';
import type { Sending } from './call.ts';
import { Client } from './client.ts';
import type { HttpApi, Implementation } from './implementation.ts';
import { plainImplementation } from './plain-implementation.ts';
import { HttpResponse, type RawResponse } from './response.ts';
import { CaseSession } from './session.ts';

/** A response as a test writes it. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** Sent as `application/json`, unless `headers` names another type. */
  json?: unknown;
  /** The body in place of `json`. */
  body?: string | Buffer;
}

export type Respond = (sending: Sending) => Reply | Promise<Reply>;

function rawResponse({ status, headers = {}, json, body = '' }: Reply): RawResponse {
  if (json === undefined) {
    return { status, headers, body: Buffer.from(body) };
  }
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...headers }, body: Buffer.from(JSON.stringify(json)) };
}

export const responseOf = (reply: Reply): HttpResponse => new HttpResponse(rawResponse(reply));

class ClientInMemory extends Client {
  readonly requests: Sending[] = [];
  readonly #respond: Respond;

  constructor(respond: Respond) {
    const headers = { authorization: 'Bearer right' };
    super({ base: 'http://service.test', headers, timeoutMs: 1_000, connections: 1 });
    this.#respond = respond;
  }

  override async send(sending: Sending): Promise<RawResponse> {
    this.requests.push(sending);
    return rawResponse(await this.#respond(sending));
  }
}

export interface ServiceInMemory {
  implementation: Implementation;
  session: CaseSession;
  /** In the order in which they were sent. */
  requests: readonly Sending[];
}

/** @param paths what an OpenAPI document has below `paths`, and after it */
export function serviceOf(
  paths: string,
  respond: Respond,
  more: Partial<HttpApi> & Partial<Pick<Implementation, 'origin'>> = {},
): ServiceInMemory {
  const { origin = 'all', ...api } = more;
  const contract = parseContract(`
openapi: 3.1.0
info: {title: In memory, version: 1.0.0}
paths:
${paths}`);
  const client = new ClientInMemory(respond);
  const implementation = plainImplementation(
    { contract, client, level: 'extended', origin, token: undefined, readOnlyToken: undefined },
    api,
  );
  const session = new CaseSession(implementation);
  return { implementation, session, requests: client.requests };
}
