/** The shape of a handler, derived from the contract: what it is given, and what it may answer. */
import type { operations } from '../../generated/openapi.ts';
import type { OperationId } from '../contract.ts';
import type { Links } from '../domain/links.ts';
import type { SigningCertificate } from '../domain/route-modules.ts';
import type { Store } from '../store/store.ts';

/** What a handler works with, apart from the request. */
export interface Services {
  store: Store;
  /** The current time. */
  clock(): Date;
  /** A new id, which sorts behind those made before; `prefix` tells people what it names (D01). */
  newId(prefix: string): string;
  /** A key pair with its certificate for the SAML requests of a route (D26). */
  createSigningKey(): Promise<SigningCertificate>;
}

type Parameters<K extends OperationId> = operations[K]['parameters'];

export interface Call<K extends OperationId> {
  path: NonNullable<Parameters<K>['path']>;
  query: NonNullable<Parameters<K>['query']>;
  body: operations[K] extends { requestBody?: { content: { 'application/json': infer B } } }
    ? undefined extends operations[K]['requestBody']
      ? B | undefined
      : B
    : undefined;
  links: Links;
}

type Success = 200 | 201 | 204;

/** One of the operation's documented successes. Errors are thrown as refusals. */
export type Reply<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: operations[K]['responses'][S] extends {
    content: { 'application/json': infer B };
  }
    ? S extends 201
      ? { status: S; body: B; location: string }
      : { status: S; body: B }
    : { status: S };
}[keyof operations[K]['responses'] & Success];

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<Reply<K>>;

/** One handler for each operation of the contract: a missing one does not compile. */
export type Handlers = { [K in OperationId]: Handler<K> };
