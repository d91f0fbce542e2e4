/** The promises of an operation about its statuses, apart from parameters and body: its success, and 401, 406 and 415. */
import fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import {
  documentedFor,
  type Operation,
  type Parameter,
  successOf,
} from '../contract/operations.ts';
import { type Credentials, credentialsOf } from '../contract/credentials.ts';
import { isJson } from '../contract/media-types.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues, isAllowed } from '../generate/bodies.ts';
import { type CallInput, queryOf, withCookies } from '../http/call.ts';
import { refuse, succeed } from '../http/expect-response.ts';
import { givenFor, type Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, examplesOf, sendable, validCall, workingExamples } from './calls.ts';
import { callWith, expectEitherOf } from './parameters.ts';
import { each, forAll, once, requirementOf, type Requirement } from './requirement.ts';

export function success(operation: Operation, api: Api): Requirement {
  const { status, pointer } = successOf(operation);
  const { operationId, origin } = operation;
  const sentence = `${operationId} responds to a valid request with ${status}, and as the contract documents it.`;
  return requirementOf(operation, status, { origin, pointer }, sentence, (implementation) => {
    const check = async ({ json }: CallInput, session: Session) => {
      const call = await validCall(session, operationId);
      const body = json === undefined ? {} : { json: sendable(session, operation, call, json) };
      await succeed(session, operationId, { ...call, ...body }).catch(async (error: unknown) => {
        const works = workingExamples.get(implementation)?.[operationId];
        if (!(error instanceof NotPossible) || works === undefined) {
          throw error;
        }
        await succeed(session, operationId, { ...call, json: works });
      });
    };
    const bodies = bodiesOf(operation, api, implementation);
    const tryExample = async (
      [parameter, value]: readonly [Parameter, unknown],
      session: Session,
    ) => {
      const call = callWith(await validCall(session, operationId), parameter, value);
      // A text may name what the service does not have.
      if (
        typeof value === 'string' &&
        !shapeOf(implementation.contract, parameter.schema).choices
      ) {
        return expectEitherOf(session, operation, call);
      }
      await succeed(session, operationId, call, `It is an example of \`${parameter.name}\`.`);
    };
    return [
      ...each(examplesOfParameters(operation, implementation), tryExample),
      ...(bodies ? each(examplesFor(operation, api, implementation), check) : []),
      forAll('valid requests', bodies?.map((json) => ({ json })) ?? fc.constant({}), check),
    ];
  });
}

/** Bodies that the operation must accept; undefined where its laws send them. */
export function bodiesOf(operation: Operation, api: Api, implementation: Implementation) {
  if (!operation.requestBody) {
    return undefined;
  }
  if (api.bodies) {
    return api.bodies(operation, implementation);
  }
  return bodyValues(
    asRequest(implementation.contract),
    operation.requestBody,
    implementation.hints,
  );
}

/** The examples of the contract must work, as far as the implementation knows the values in them. */
function examplesFor(
  { requestBody }: Operation,
  api: Api,
  implementation: Implementation,
): Record<string, CallInput> {
  const knows = api.knows?.(implementation);
  const known = Object.entries(requestBody!.examples)
    .filter(([, example]) => !knows || knows(example))
    .filter(([, example]) => isAllowed(asRequest(implementation.contract), requestBody!, example));
  return Object.fromEntries(known.map(([name, json]) => [`the example \`${name}\``, { json }]));
}

/** Those of optional parameters: what is required is in every call. */
function examplesOfParameters({ parameters }: Operation, { contract, client }: Implementation) {
  const isFree = ({ name, in: place, required }: Parameter) =>
    !required &&
    (place === 'query' || (place === 'header' && !(name.toLowerCase() in client.headers)));
  const all = parameters
    .filter(isFree)
    .flatMap((one) => examplesOf(contract, one).map((value) => [one, value] as const));
  const valid = all.filter(([{ schema }, value]) => schemasOf(contract).isValid(schema, value));
  return Object.fromEntries(
    valid.map((one) => [`the example ${JSON.stringify(one[1])} of \`${one[0].name}\``, one]),
  );
}

/** Examples that their own schema refuses are not sent: a sentence for each. */
export function wrongExamples(
  contract: Contract,
  { operationId, requestBody, parameters }: Operation,
): string[] {
  const isWrong = (isRight: () => boolean | undefined) => {
    try {
      return isRight() === false;
    } catch {
      // The requirements of its place say why it cannot be checked.
      return false;
    }
  };
  const ofBody = Object.entries(requestBody?.examples ?? {})
    .filter(([, example]) => isWrong(() => isAllowed(asRequest(contract), requestBody!, example)))
    .map(([name]) => `The example \`${name}\` of the body`);
  const ofParameters = parameters.flatMap((parameter) =>
    examplesOf(contract, parameter)
      .filter((value) => isWrong(() => schemasOf(contract).isValid(parameter.schema, value)))
      .map(
        (value) => `The example ${JSON.stringify(value)} of the parameter \`${parameter.name}\``,
      ),
  );
  return [...ofBody, ...ofParameters].map(
    (one) => `${one} of ${operationId} breaks its own schema.`,
  );
}

const UNKNOWN_TYPE = 'application/x-conformance';

/** Media types, as far as the contract documents their refusal: 406 for responses, 415 for requests. */
export function mediaTypeRequirements(operation: Operation): Requirement[] {
  const { operationId, responses, requestBody } = operation;
  const refusing = (status: 406 | 415, header: string, when: string, why: string) => {
    const documented = responses[status];
    if (!documented) {
      return [];
    }
    const check = async (session: Session) => {
      const call = await callToRefuse(session, operationId);
      const input = { ...call, headers: { ...call.headers, [header]: UNKNOWN_TYPE } };
      await refuse(session, operationId, input, [status], why);
    };
    const sentence = `${operationId} returns ${status} ${when}`;
    const properties = () => [once('an unknown media type', check)];
    return [requirementOf(operation, String(status), documented, sentence, properties)];
  };
  const ruledOut = 'when the Accept header rules out every documented media type.';
  const unknown = 'to a body of a media type that the contract does not document.';
  const whyRuledOut = `Accept: ${UNKNOWN_TYPE} rules out what the contract documents.`;
  const whyUnknown = `The contract documents no body of ${UNKNOWN_TYPE}.`;
  const isShown = Object.keys(successOf(operation).content).length > 0;
  const isTyped = requestBody !== null && isJson(requestBody.mediaType);
  return [
    ...(isShown ? refusing(406, 'accept', ruledOut, whyRuledOut) : []),
    ...(isTyped ? refusing(415, 'content-type', unknown, whyUnknown) : []),
  ];
}

/** Operations that document a 401 refuse requests without the credentials that their `security` asks for. */
export function authenticationRequirements(
  contract: Contract,
  operation: Operation,
): Requirement[] {
  const { operationId, security, responses } = operation;
  const documented = documentedFor(operation, 401);
  // A way in without credentials lets every caller in.
  if (!documented || security.length === 0 || security.some((names) => names.length === 0)) {
    return [];
  }
  const schemes = [...new Set(security.flat())].map((name) => credentialsOf(contract, name));
  const usable = schemes.filter((one) => typeof one !== 'string');
  const sentence = `${operationId} returns 401 to a request without credentials, and to one with wrong ones.`;
  const stated = requirementOf(operation, '401', documented, sentence, ({ client }) =>
    each({ 'no credentials': () => '', 'wrong credentials': wrong }, async (replace, session) => {
      let input = await validCall(session, operationId);
      for (const credentials of usable) {
        const value = givenFor(client, credentials);
        if (value !== undefined) {
          input = withCredentials(input, credentials, replace(value));
        }
      }
      // Where only a range is documented, some services say it with 403.
      const statuses = '401' in responses ? [401] : [401, 403];
      await refuse(session, operationId, input, statuses, 'The credentials are missing or wrong.');
    }),
  );
  const skip: Requirement['skip'] = ({ client }) => {
    if (usable.length === 0) {
      return schemes.find((one) => typeof one === 'string');
    }
    if (usable.some((one) => givenFor(client, one) !== undefined)) {
      return undefined;
    }
    return 'needs the credentials of the operation: give them with --token, --auth, --cert or --header';
  };
  return [{ ...stated, skip }];
}

/** The scheme stays, with another secret behind it. */
function wrong(credentials: string): string {
  const [, scheme] = /^(Bearer|Basic) /i.exec(credentials) ?? [];
  if (scheme === undefined) {
    return 'conformance-wrong';
  }
  return `${scheme} Y29uZm9ybWFuY2U6d3Jvbmc=`;
}

/** The call with another value in their place; an empty one takes them away. */
function withCredentials(
  call: CallInput,
  { in: place, name }: Credentials,
  value: string,
): CallInput {
  if (place === 'header') {
    return { ...call, headers: { ...call.headers, [name]: value } };
  }
  if (place === 'query') {
    return { ...call, query: [...queryOf(call), [name, value]] };
  }
  const own = call.headers?.['cookie'];
  const cookie = own === undefined && value === '' ? '' : withCookies(own, [`${name}=${value}`]);
  return { ...call, headers: { ...call.headers, cookie } };
}
