/** What a service that remembers knows of the resources that it made: where they are and how they were sent. */
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, succeeded } from '../mutate/response.ts';
import { isObject, type Json, jsonIn } from '../mutate/request.ts';
import { type Call, callOf } from '../mutate/operation.ts';
import type { Mutate } from '../mutate/mutate.ts';
import { addressOf, type Resource } from './api.ts';

export interface Known {
  /** Path of the resource. */
  path: string;
  /** Of its collection. */
  collection: string;
  /** What it was created with, and changed to, as far as requests said it. */
  sent: Json;
}

export class Memory {
  /** In the order of creation. */
  readonly known = new Map<string, Known>();
  readonly #resource: Resource;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** Goes in front of a service, to see what it makes. */
  get watching(): Mutate {
    return (service) => async (request) => {
      const response = await service(request);
      this.note(request, response);
      return response;
    };
  }

  note(request: ServiceRequest, response: ServiceResponse): void {
    const call = callOf(request);
    if (!call || !succeeded(response)) return;
    const { create, update, remove, collection, key } = this.#resource;
    const sent = jsonIn(request);
    const body = isObject(sent) ? sent : {};
    if (call.operationId === create.operationId) {
      const list = addressOf(collection, call);
      const path = `${list}/${encodeURIComponent(jsonOf(response)[key])}`;
      this.known.set(path, { path, collection: list, sent: body });
    }
    const path = this.pathOf(call);
    const known = this.known.get(path);
    if (call.operationId === remove.operationId) this.known.delete(path);
    if (call.operationId === update.operationId && known) known.sent = { ...known.sent, ...body };
  }

  pathOf(call: Call): string {
    return addressOf(this.#resource.item, call);
  }

  collectionOf(call: Call): string {
    return addressOf(this.#resource.collection, call);
  }

  /** The newest one with the same collection, or another one. */
  sibling(call: Call, where: 'same collection' | 'another collection' = 'same collection'): Known | undefined {
    const own = this.pathOf(call);
    const list = this.collectionOf(call);
    return [...this.known.values()].findLast(
      ({ path, collection }) => path !== own && (collection === list) === (where === 'same collection'),
    );
  }
}
