/**
 * A second implementation of the core operations, written from the contract by hand: no validator, no framework, and
 * other choices than the reference server's wherever the contract leaves one. A suite that finds fault with it asks for
 * more than the contract promises.
 */
import type { Service, ServiceRequest } from '../service.ts';
import { type Answer, write } from './answer.ts';
import { authorize } from './authorization.ts';
import { baseUrl } from './base-url.ts';
import { edgeOperations } from './edges.ts';
import type { Operation } from './operation.ts';
import { problem, Refusal } from './problem.ts';
import { allow, requirePossible, route } from './routing.ts';
import { sourceOperations } from './sources.ts';
import { parseTarget } from './target.ts';

export interface IndependentServiceOptions {
  /** Without one the service runs open. */
  token?: string | undefined;
  /** What every `uri` begins with; else the Host header says. */
  publicUrl?: string | undefined;
}

const OWN_FAULT = new Refusal('internal_error', 'This should not have happened.');

/** In memory, and its own: two services share nothing. */
export function createIndependentService({ token, publicUrl }: IndependentServiceOptions = {}): Service {
  const operations = [...edgeOperations(), ...sourceOperations()];

  return async (request) => {
    try {
      authorize(request.headers['authorization'], token);
      return write(answer(operations, request, publicUrl), request.method);
    } catch (error) {
      return write(problem(error instanceof Refusal ? error : OWN_FAULT), request.method);
    }
  };
}

function answer(operations: readonly Operation[], request: ServiceRequest, publicUrl: string | undefined): Answer {
  // The asterisk form (RFC 9112, 3.2.4) asks about the service as a whole.
  if (request.method === 'OPTIONS' && request.target === '*') {
    return { status: 204, headers: { allow: 'OPTIONS,POST,GET,HEAD,PATCH,DELETE' } };
  }
  const target = parseTarget(request.target);
  const base = baseUrl(publicUrl, target.host ?? request.headers['host']);
  const routed = route(operations, target.segments);
  const headers = { allow: allow(routed) };
  if (request.method === 'OPTIONS') return { status: 204, headers };
  const operation = routed.operations.get(request.method === 'HEAD' ? 'GET' : request.method);
  if (operation === undefined) throw new Refusal('method_not_allowed', 'Allow lists what works here.', { headers });
  requirePossible(routed.params);
  return operation.handle(request, target, routed.params, base);
}
