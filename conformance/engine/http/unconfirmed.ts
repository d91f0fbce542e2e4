/**
 * Creations that were refused, or got no response: a service may have made something all the same.
 * It is known by texts that only this run has sent.
 */
import type { Operation } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import type { CallInput } from './call.ts';
import type { HttpResponse } from './response.ts';
import { sentJson } from './runtime-expressions.ts';

/** In characters. A shorter text may come again by chance. */
export const LEAST_LENGTH = 8;

/** Enough for a run of hours; the memory of a run is bounded. */
const MOST_TEXTS = 100_000;

/** A call that was accepted, whose response shows the form in which items come. */
export interface AcceptedCall {
  input: CallInput;
  response: HttpResponse;
}

/** Calls of one creation at one path. */
export interface UnconfirmedCalls {
  operation: Operation;
  path: CallInput['path'];
  /** The texts of their bodies that only this run has sent, each with the name of its member. */
  texts: Map<string, string>;
}

export class Unconfirmed {
  /** Operations that are known to make something of requests that they refuse. */
  readonly makers = new Set<Operation>();
  /** Texts that were made at random for one body. */
  readonly #own = new Set<string>();
  readonly #calls = new Map<string, UnconfirmedCalls>();
  readonly #accepted = new Map<Operation, AcceptedCall>();

  /** Notes the texts of a body that another one did not have. */
  noteFresh(before: unknown, after: unknown): void {
    if (before === after || !isObject(before) || !isObject(after)) {
      return;
    }
    for (const [name, text] of Object.entries(after)) {
      const isNew = typeof text === 'string' && text !== before[name];
      if (isNew && text.length >= LEAST_LENGTH && this.#own.size < MOST_TEXTS) {
        this.#own.add(text);
      }
    }
  }

  /** @param response undefined if none came */
  observe(operation: Operation, input: CallInput, response: HttpResponse | undefined): void {
    if (response !== undefined && response.status < 300) {
      this.#accepted.set(operation, { input, response });
    }
    const isConfirmed = response !== undefined && response.status < 400;
    const sent = isConfirmed || this.#own.size === 0 ? undefined : sentJson(input);
    if (!isObject(sent)) {
      return;
    }
    const own = Object.entries(sent).filter(([, text]) => this.#own.has(text as string));
    if (own.length === 0) {
      return;
    }
    const { path } = input;
    const key = JSON.stringify([operation.operationId, path]);
    const calls = this.#calls.get(key) ?? { operation, path, texts: new Map<string, string>() };
    this.#calls.set(key, calls);
    for (const [name, text] of own) {
      calls.texts.set(text as string, name);
    }
  }

  get all(): UnconfirmedCalls[] {
    return [...this.#calls.values()];
  }

  acceptedOf(operation: Operation): AcceptedCall | undefined {
    return this.#accepted.get(operation);
  }
}
