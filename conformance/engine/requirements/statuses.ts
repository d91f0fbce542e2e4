/**
 * The statuses of an operation, apart from parameters and body: its success, and 401, 406 and 415.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import fc from 'fast-check';
import { type Credentials, credentialsOf, isGuarded } from '../contract/credentials.ts';
import { type Contract, groupBy } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import {
  documentedFor,
  type Operation,
  type Parameter,
  type RequestBody,
  successOf,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues, isAllowed } from '../generate/bodies.ts';
import { samples } from '../generate/filter.ts';
import { type CallInput, queryOf, withCookies } from '../http/call.ts';
import { refuse, succeed, succeedAsDocumented } from '../http/expect-response.ts';
import type { Client } from '../http/client.ts';
import { givenFor } from '../http/given-credentials.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { examplesOf } from '../survey/values.ts';
import { callToRefuse, sendable, validCall } from './calls.ts';
import { callWith, expectEitherOf } from './parameters.ts';
import {
  each,
  forAll,
  once,
  type Property,
  requirementOf,
  type Requirement,
} from './requirement.ts';
import {
  expectNothingAtOtherPaths,
  expectRefusedBeside,
  readFirst,
} from './without-credentials.ts';

export function success(operation: Operation, api: Api): Requirement {
  const { status, pointer } = successOf(operation);
  const { operationId, origin } = operation;
  const response = `with ${status}, and as the contract documents it`;
  const sentence = `${operationId} responds to a valid request ${response}.`;
  return requirementOf(operation, status, {
    stated: { origin, pointer },
    sentence,
    properties: (implementation) => propertiesOfSuccess(operation, api, implementation),
  });
}

function propertiesOfSuccess(
  operation: Operation,
  api: Api,
  implementation: Implementation,
): Property[] {
  const { requestBody } = operation;
  const bodies = acceptableBodies(operation, api, implementation);
  const check = ({ json }: CallInput, session: Session) =>
    expectSuccessOf(session, operation, json);
  const properties = each(parameterExamples(operation, implementation), (example, session) =>
    tryExample(session, operation, example),
  );
  if (bodies && requestBody) {
    properties.push(...each(bodyExamples(requestBody, api, implementation), check));
    const { otherKind } = implementation.survey[operation.operationId]?.recipe ?? {};
    if (otherKind !== undefined) {
      properties.push(
        once('the preferred media type', (session) => tryPreferred(session, operation)),
      );
    }
    const members = optionalMembers(operation, implementation);
    properties.push(
      ...each(members, (json, session) => tryOptionalMember(session, operation, json)),
    );
  }
  const inputs = bodies?.map((json) => ({ json })) ?? fc.constant({});
  return [...properties, forAll('valid requests', inputs, check)];
}

/** A service that takes another kind of body refuses the one that the contract has first. */
async function tryPreferred(session: Session, operation: Operation): Promise<void> {
  const { form: _, ...input } = await validCall(session, operation.operationId);
  await succeedAsDocumented(session, operation.operationId, input);
}

/** Enough for large bodies. */
const MOST_MEMBERS = 30;

/**
 * Where the service takes one body and refuses others: that one with each member that it lacks, so
 * that it shows which of them is refused.
 * @returns them by label
 */
function optionalMembers(
  { operationId, requestBody }: Operation,
  { contract, hints, survey }: Implementation,
): Record<string, unknown> {
  const { body, needsEntityTag } = survey[operationId]?.recipe ?? {};
  const byLabel: Record<string, unknown> = {};
  if (requestBody === null || body?.kind !== 'fixed' || !isObject(body.json) || needsEntityTag) {
    return byLabel;
  }
  const sent = asRequest(contract);
  const { pointer } = requestBody;
  const made = samples(bodyValues(sent, requestBody, hints), SAMPLES).filter(isObject);
  const names = [...shapeOf(sent, pointer).properties.keys()];
  for (const name of names.slice(0, MOST_MEMBERS)) {
    const [value] = made.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : []));
    const json = { ...body.json, [name]: value };
    const isNew = !Object.hasOwn(body.json, name) && value !== undefined;
    if (isNew && schemasOf(sent).isValid(pointer, json)) {
      byLabel[`a body with \`${name}\``] = json;
    }
  }
  return byLabel;
}

const SAMPLES = 10;

async function tryOptionalMember(
  session: Session,
  operation: Operation,
  json: unknown,
): Promise<void> {
  try {
    await expectSuccessOf(session, operation, json);
  } catch (error) {
    // The contract allows the refusal; or the member names what does not exist. What else succeeds
    // shows what it has to.
    const isAbsent = error instanceof Nonconformity && error.details.got.startsWith('404');
    if (!isAbsent && !(error instanceof NotPossible)) {
      throw error;
    }
  }
}

/** A valid call succeeds. @param json of the body */
async function expectSuccessOf(
  session: Session,
  operation: Operation,
  json: unknown,
): Promise<void> {
  const { operationId } = operation;
  const input = await validCall(session, operationId);
  const { body } = session.implementation.survey[operationId]?.recipe ?? {};
  // What replaces an item depends on the item.
  if (json !== undefined && body?.asShown === undefined) {
    input.json = await sendable(session, operation, input, json);
  }
  await succeedAsDocumented(session, operationId, input);
}

/** Bodies that the operation must accept; undefined if its laws send them. */
export function acceptableBodies(
  operation: Operation,
  api: Api,
  implementation: Implementation,
): fc.Arbitrary<unknown> | undefined {
  const { requestBody } = operation;
  if (!requestBody) {
    return undefined;
  }
  if (api.bodies) {
    return api.bodies(operation, implementation);
  }
  return bodyValues(asRequest(implementation.contract), requestBody, implementation.hints);
}

/**
 * The examples of the contract that must work: the implementation knows the values in them.
 * @returns them by label
 */
function bodyExamples(
  body: RequestBody,
  api: Api,
  implementation: Implementation,
): Record<string, CallInput> {
  const sent = asRequest(implementation.contract);
  const knows = api.knows?.(implementation);
  const byLabel: Record<string, CallInput> = {};
  for (const [name, example] of Object.entries(body.examples)) {
    const isKnown = !knows || knows(example);
    if (isKnown && isAllowed(sent, body, example)) {
      byLabel[`the example \`${name}\``] = { json: example };
    }
  }
  return byLabel;
}

interface ParameterExample {
  parameter: Parameter;
  value: unknown;
}

/**
 * The valid examples of optional parameters: required ones are in every call.
 * @returns them by label
 */
function parameterExamples(
  { parameters }: Operation,
  { contract, client }: Implementation,
): Record<string, ParameterExample> {
  const byLabel: Record<string, ParameterExample> = {};
  for (const parameter of parameters) {
    const { name, in: place, required, schema } = parameter;
    // The user chooses the headers that go out with every request.
    const isFree =
      place === 'query' || (place === 'header' && !(name.toLowerCase() in client.headers));
    if (required || !isFree) {
      continue;
    }
    for (const value of examplesOf(contract, parameter)) {
      if (schemasOf(contract).isValid(schema, value)) {
        const label = `the example ${stringifyJson(value)} of \`${name}\``;
        byLabel[label] = { parameter, value };
      }
    }
  }
  return byLabel;
}

async function tryExample(
  session: Session,
  operation: Operation,
  { parameter, value }: ParameterExample,
): Promise<void> {
  const { operationId } = operation;
  const { contract } = session.implementation;
  const call = callWith(await validCall(session, operationId), parameter, value);
  // A text may name what the service does not have.
  if (typeof value === 'string' && !shapeOf(contract, parameter.schema).choices) {
    return expectEitherOf(session, operation, call);
  }
  await succeed(session, operationId, call, `It is an example of \`${parameter.name}\`.`);
}

/** Examples that their own schema refuses are not sent: a sentence for each. */
export function wrongExamples(contract: Contract, operation: Operation): string[] {
  const { operationId, requestBody, parameters } = operation;
  const wrong: string[] = [];
  if (requestBody) {
    for (const [name, example] of Object.entries(requestBody.examples)) {
      if (isWrong(() => isAllowed(asRequest(contract), requestBody, example))) {
        wrong.push(`The example \`${name}\` of the body`);
      }
    }
  }
  for (const parameter of parameters) {
    for (const value of examplesOf(contract, parameter)) {
      if (isWrong(() => schemasOf(contract).isValid(parameter.schema, value))) {
        const shown = stringifyJson(value);
        wrong.push(`The example ${shown} of the parameter \`${parameter.name}\``);
      }
    }
  }
  return wrong.map((example) => `${example} of ${operationId} breaks its own schema.`);
}

/** False also for an example that cannot be checked: the requirements of its place say why. */
function isWrong(isRight: () => boolean | undefined): boolean {
  try {
    return isRight() === false;
  } catch {
    return false;
  }
}

const UNKNOWN_TYPE = 'application/x-conformance';

/** The refusal of a media type that an operation does not know. */
interface MediaTypeRefusal {
  status: 406 | 415;
  /** The field that names the media type. */
  header: string;
  /** The request that is refused, as the end of a sentence. */
  when: string;
  /** Why it is refused. */
  why: string;
}

const OF_RESPONSES: MediaTypeRefusal = {
  status: 406,
  header: 'accept',
  when: 'when the Accept header rules out every documented media type.',
  why: `Accept: ${UNKNOWN_TYPE} rules out what the contract documents.`,
};

const OF_REQUESTS: MediaTypeRefusal = {
  status: 415,
  header: 'content-type',
  when: 'to a body of a media type that the contract does not document.',
  why: `The contract documents no body of ${UNKNOWN_TYPE}.`,
};

/**
 * Media types, as far as the contract documents their refusal: 406 for responses, 415 for requests.
 */
export function mediaTypeRequirements(operation: Operation): Requirement[] {
  const { requestBody } = operation;
  const requirements: Requirement[] = [];
  if (Object.keys(successOf(operation).content).length > 0) {
    requirements.push(...refusalOf(operation, OF_RESPONSES));
  }
  if (requestBody !== null && isJson(requestBody.mediaType)) {
    requirements.push(...refusalOf(operation, OF_REQUESTS));
  }
  return requirements;
}

/** An empty list if the operation does not document the status. */
function refusalOf(operation: Operation, refusal: MediaTypeRefusal): Requirement[] {
  const { status, header, when, why } = refusal;
  const { operationId, responses } = operation;
  const documented = responses[status];
  if (!documented) {
    return [];
  }
  const check = async (session: Session): Promise<void> => {
    const call = await callToRefuse(session, operationId);
    const input = { ...call, headers: { ...call.headers, [header]: UNKNOWN_TYPE } };
    await refuse(session, operationId, input, { statuses: [status], why });
  };
  const sentence = `${operationId} returns ${status} ${when}`;
  const properties = (): Property[] => [once('an unknown media type', check)];
  return [requirementOf(operation, String(status), { stated: documented, sentence, properties })];
}

/**
 * Operations that document a 401 refuse requests without the credentials that their `security` asks
 * for.
 */
export function credentialRequirements(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, security } = operation;
  const documented = documentedFor(operation, 401);
  // A way in without credentials lets every caller in.
  if (!documented || !isGuarded(operation)) {
    return [];
  }
  const schemes = [...new Set(security.flat())].map((name) => credentialsOf(contract, name));
  const usable = schemes.filter((one) => typeof one !== 'string');
  const requests = 'a request without credentials, and to one with wrong ones';
  const sentence = `${operationId} returns 401 to ${requests}.`;
  const check = ({ replaced, replace }: Replacement, session: Session) =>
    expectUnauthorized(session, operation, replaced, replace);
  const replacements: Record<string, Replacement> = {
    'no credentials': { replaced: usable, replace: () => '' },
    'wrong credentials': { replaced: usable, replace: withOtherSecret },
    ...incompleteWays(contract, security),
  };
  const stated = requirementOf(operation, '401', {
    stated: documented,
    sentence,
    properties: () => each<Replacement>(replacements, check),
  });
  const skip: Requirement['skip'] = ({ client }) => {
    if (usable.length === 0) {
      return schemes.find((one) => typeof one === 'string');
    }
    if (usable.some((one) => givenFor(client, one) !== undefined)) {
      return undefined;
    }
    const options = '--token, --auth, --cert or --header';
    return `needs the credentials of the operation: give them with ${options}`;
  };
  return [{ ...stated, skip }];
}

/** The value that is sent in place of the right one; an empty text takes it away. */
type Replace = (value: string) => string;

interface Replacement {
  /** The credentials in whose place something else is sent. */
  replaced: readonly Credentials[];
  replace: Replace;
}

/**
 * Ways in that lack one of their credentials: "all schemes MUST be satisfied for a request to be
 * authorized" (OpenAPI 3.1, Security Requirement Object).
 */
function incompleteWays(
  contract: Contract,
  security: readonly string[][],
): Record<string, Replacement> {
  const names = new Set(security.flat());
  const found: Record<string, Replacement> = {};
  for (const way of security.filter(({ length }) => length > 1)) {
    for (const missing of way) {
      const rest = way.filter((name) => name !== missing);
      const isOtherWay = security.some((other) => other.every((name) => rest.includes(name)));
      const left = credentialsIn(contract, rest);
      const replaced = credentialsIn(
        contract,
        [...names].filter((name) => !rest.includes(name)),
      );
      // Two schemes may want the same field.
      const isShared = replaced.some((one) =>
        left.some((other) => other.in === one.in && other.name === one.name),
      );
      if (!isOtherWay && !isShared && left.length === rest.length) {
        found[`all but ${missing}`] = { replaced, replace: () => '' };
      }
    }
  }
  return found;
}

function credentialsIn(contract: Contract, schemes: readonly string[]): Credentials[] {
  return schemes
    .map((name) => credentialsOf(contract, name))
    .filter((one) => typeof one !== 'string');
}

async function expectUnauthorized(
  session: Session,
  operation: Operation,
  usable: readonly Credentials[],
  replace: Replace,
): Promise<void> {
  const { operationId, responses } = operation;
  const { client } = session.implementation;
  const valid = await validCall(session, operationId);
  // If only a range is documented, some services say it with 403.
  const statuses = '401' in responses ? [401] : [401, 403];
  const why = 'The credentials are missing or wrong.';
  for (const replaced of setsOf(client, usable)) {
    await readFirst(session, operation, valid);
    let input = valid;
    for (const { credentials, value } of replaced) {
      input = withCredentials(input, credentials, replace(value));
    }
    await refuse(session, operationId, input, { statuses, why });
    const calls = { valid, refused: input };
    await expectRefusedBeside(session, operation, calls, { statuses, why });
    await expectNothingAtOtherPaths(session, operation, calls);
  }
}

interface GivenCredentials {
  credentials: Credentials;
  value: string;
}

/**
 * The credentials that the user gave, in sets with one for each place: a field has a token of one
 * scheme or a password of another, and each of them can be wrong.
 */
function setsOf(client: Client, usable: readonly Credentials[]): GivenCredentials[][] {
  const given: GivenCredentials[] = [];
  for (const credentials of usable) {
    const value = givenFor(client, credentials);
    if (value !== undefined) {
      given.push({ credentials, value });
    }
  }
  const places = [...groupBy(given, placeOf).values()];
  const most = Math.max(1, ...places.map(({ length }) => length));
  const sets: GivenCredentials[][] = [];
  for (let index = 0; index < most; index += 1) {
    sets.push(places.flatMap((same) => same[index] ?? same.slice(0, 1)));
  }
  return sets;
}

const placeOf = ({ credentials }: GivenCredentials): string =>
  `${credentials.in} ${credentials.name}`;

/**
 * The call without the credentials of the operation that go out with every request; undefined if
 * none do.
 */
export function withoutOwnCredentials(
  { contract, client }: Implementation,
  { security }: Operation,
  call: CallInput,
): CallInput | undefined {
  const sent = credentialsIn(contract, [...new Set(security.flat())]).filter(
    (one) => givenFor(client, one) !== undefined,
  );
  if (sent.length === 0) {
    return undefined;
  }
  return sent.reduce((input, one) => withCredentials(input, one, ''), call);
}

const SCHEME = /^(Bearer|Basic) /i;

/** The scheme stays, with another secret behind it. */
function withOtherSecret(credentials: string): string {
  const [, scheme] = SCHEME.exec(credentials) ?? [];
  if (scheme === undefined) {
    return 'conformance-wrong';
  }
  return `${scheme} Y29uZm9ybWFuY2U6d3Jvbmc=`;
}

/** The call with another value in their place; an empty one takes them away. */
export function withCredentials(
  call: CallInput,
  credentials: Credentials,
  value: string,
): CallInput {
  const { in: place, name } = credentials;
  if (place === 'header') {
    return { ...call, headers: { ...call.headers, [name]: value } };
  }
  if (place === 'query') {
    return { ...call, query: [...queryOf(call), [name, value]] };
  }
  const own = call.headers?.['cookie'];
  const isWithout = own === undefined && value === '';
  const cookie = isWithout ? '' : withCookies(own, [`${name}=${value}`]);
  return { ...call, headers: { ...call.headers, cookie } };
}
