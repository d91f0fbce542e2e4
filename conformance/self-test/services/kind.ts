/** A kind of service: one choice that the contract leaves, and what several kinds are made with. */
import type { IndependentServiceOptions } from '../independent/index.ts';
import { type Json, jsonOf, problem, withHeaders } from '../messages.ts';
import { changingResponse, type Handle } from '../mutation/operator.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';

/** Options of the independent service, or a handle that stands in front of it. */
export type Kind = IndependentServiceOptions | Handle;

/** Kinds by their names. The kinds of one group exclude each other. */
export type Group = Record<string, Kind>;

/** Changes header fields of responses. */
export function changingHeaders(
  fieldsOf: (response: ServiceResponse, request: ServiceRequest) => NodeJS.Dict<string>,
): Handle {
  return changingResponse((response, request) =>
    withHeaders(response, fieldsOf(response, request)),
  );
}

/**
 * Changes each value in the JSON of responses.
 * @param change gets the name of the member that has the value
 */
export function changingJson(
  change: (name: string, value: unknown, request: ServiceRequest) => unknown,
): Handle {
  return changingResponse((response, request) => {
    const json: unknown = jsonOf(response);
    if (json === undefined) {
      return response;
    }
    const body = JSON.stringify(json, (name, value) => change(name, value, request));
    return { ...response, body };
  });
}

interface Details {
  headers?: NodeJS.Dict<string>;
  /** Other members of the problem document. */
  members?: Json;
}

/** A refusal as the contract documents it. */
export function refusal(
  status: number,
  { method }: ServiceRequest,
  { headers = {}, members = {} }: Details = {},
): ServiceResponse {
  const response = withHeaders(problem(status, members), headers);
  if (method === 'HEAD') {
    return { ...response, body: '' };
  }
  return response;
}
