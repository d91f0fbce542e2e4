/**
 * A service with stars of 1 to 5 points, behind credentials, and its contract
 * (contracts/stars.yaml).
 */
import { parse } from '../../engine/http/response.ts';
import type { Service, ServiceRequest } from '../../self-test/service.ts';
import { contractOf, type Document } from './contracts.ts';
import { segmentsOf } from './requests.ts';
import { respondWith } from './services.ts';

const POINTS: ReadonlySet<unknown> = new Set([1, 2, 3, 4, 5]);

/** @param scheme the security scheme of its operations */
export function starsContract(scheme: object = { type: 'http', scheme: 'bearer' }): Document {
  const contract = contractOf('stars');
  contract.components.securitySchemes.key = scheme;
  return contract;
}

/** It ignores an id in a body. @param isAllowed whether a request has the credentials */
export function starsService(isAllowed: (request: ServiceRequest) => boolean): Service {
  return async (request) => {
    const [kind] = segmentsOf(request);
    if (kind !== 'stars' && kind !== 'inside') {
      return respondWith(404);
    }
    if (kind === 'inside' || !isAllowed(request)) {
      return respondWith(401);
    }
    if (request.method === 'GET') {
      return respondWith(200);
    }
    const body: Record<string, unknown> = Object(parse(String(request.body)));
    const { id = 0, points, ...others } = body;
    const isStar = Number.isInteger(id) && POINTS.has(points);
    if (isStar && Object.keys(others).length === 0) {
      return respondWith(201, { id: 0, points });
    }
    return respondWith(400);
  };
}
