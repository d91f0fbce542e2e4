/** The form of errors of this API: problem details, with a code for programs and the places of errors in a request. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import { BYTE_FORMAT } from '../../engine/contract/keywords.ts';
import { type Contract, entry, perContract, perPointers } from '../../engine/contract/load.ts';
import {
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from '../../engine/contract/operations.ts';
import { isObject, joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { type SchemaError, schemasOf } from '../../engine/contract/schemas.ts';
import { type CallInput, queryOf } from '../../engine/http/call.ts';
import { expectSchema } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { Nonconformity, show, toText } from '../../engine/http/nonconformity.ts';
import { type HttpResponse, parse } from '../../engine/http/response.ts';

const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM = '/components/schemas/Problem';
const CODE = '/components/schemas/ProblemCode';

/** The members for clients of the older form of errors (D29) equal others, as far as they are sent. */
const OLDER_FORM = { error_code: 'code', status_code: 'status', msg: 'detail' };

/** A problem, with the `status` of the response and a `code` documented for it. @throws Nonconformity */
export function expectProblem(
  implementation: Implementation,
  response: HttpResponse,
  documented?: Response,
): void {
  const { status, mediaType, headers } = response;
  const type = `Content-Type: ${headers['content-type'] ?? 'none'}`;
  demand(
    mediaType === PROBLEM_TYPE,
    'An error must be a problem.',
    `Content-Type: ${PROBLEM_TYPE}`,
    type,
  );
  expectSchema(implementation, PROBLEM, response);
  const problem = response.json as Record<string, unknown>;
  const { code } = problem;
  const equal = (name: string, due: unknown, message: string) =>
    demand(problem[name] === due, message, due, problem[name], `${PROBLEM}/properties/${name}`);
  equal('status', status, '`status` of a problem is the status of the response.');
  for (const [name, of] of Object.entries(OLDER_FORM)) {
    if (problem[name] !== undefined) {
      equal(name, problem[of], `\`${name}\` of a problem equals \`${of}\`.`);
    }
  }
  const codes = codesFor(implementation, status, documented);
  const isOwn = codes.size === 0 || codes.has(code);
  demand(isOwn, '`code` of a problem belongs to its status.', [...codes].join(' or '), code, CODE);
  const found = internalIn(response);
  demand(
    found === undefined,
    'An error must not show the inside of the service.',
    'words for a client',
    found,
  );
}

export function demand(
  condition: boolean,
  message: string,
  expected: unknown,
  got: unknown,
  clause?: string,
): void {
  if (condition) {
    return;
  }
  const details = { expected: show(expected), got: show(got) };
  throw new Nonconformity(message, clause === undefined ? details : { ...details, clause });
}

/** Those of the documented response; where the operation does not document it, those of the status anywhere. */
function codesFor(
  { contract }: Implementation,
  status: number,
  documented?: Response,
): Set<unknown> {
  return entry(codesOf(contract), documented?.pointer ?? String(status), () => {
    const anywhere = () =>
      operationsOf(contract).flatMap(({ responses }) => responses[String(status)] ?? []);
    const codes = (documented ? [documented] : anywhere()).map(({ pointer }) =>
      joinPointer(pointer, 'x-problem-codes'),
    );
    return new Set(codes.flatMap((pointer) => valueAt(contract.document, pointer) ?? []));
  });
}

/** By the pointer of a documented response, or by a status. */
const codesOf = perContract(() => new Map<string, Set<unknown>>());

/** Frames of the stack traces of common platforms, and paths of their files. */
const INTERNALS = [
  /\bat [\w$.<>]+ \(.*:\d+:\d+\)/,
  /Traceback \(most recent call last\)/,
  /\bFile "[^"]+", line \d+/,
  /\bat [\w$.]+\([\w$]+\.(java|kt|scala):\d+\)/,
  /goroutine \d+ \[/,
  /panicked at /,
  /\b(node_modules|site-packages)\//,
  /(^|[\s"'(])\/(home|root|usr|var|opt|srv)\/[\w./-]+/,
  /\b[A-Z]:\\\\?\w/,
];
const INTERNAL = new RegExp(INTERNALS.map(({ source }) => source).join('|'));

/** Further on, the patterns would take too long on a text that is made for it. */
const MAX_SEARCHED = 20_000;

/** A part of a stack trace or a path of the service that an error shows. */
function internalIn({ json, text }: HttpResponse): string | undefined {
  // The path in `instance` was sent by the client: it is not a secret of the service.
  const { instance: _, ...rest } = isObject(json) ? json : { text };
  const words = Object.values(rest).map((value) =>
    typeof value === 'string' ? value : toText(value),
  );
  const searched = words.join('\n').slice(0, MAX_SEARCHED);
  return INTERNAL.exec(searched)?.[0];
}

/** An entry of `errors` that a service may report: any of the codes, at the parameter or at any of the places. */
export interface RequestError {
  /** Undefined where the contract gives no code for the keyword. */
  codes: readonly string[] | undefined;
  /** The name of a parameter, and where it is, if the operation has it. */
  parameter?: string;
  in?: Parameter['in'];
  /** JSON Pointers into the body. */
  pointers?: readonly string[];
  /** It may be reported beside the error, at these places and below them, but need not be. */
  beside?: true;
  /** JSON Pointer into the contract of the keyword that is broken. */
  clause: string;
}

/** The errors of a request, of which a service reports any. None without a table of field errors, or for no JSON. */
export function requestErrors(
  { contract }: Implementation,
  operation: Operation,
  input: CallInput,
): RequestError[] {
  if (!fieldErrorTable(contract)) {
    return [];
  }
  const { json, body, path = {} } = input;
  const errors: RequestError[] = [];
  const { requestBody, parameters } = operation;
  const read = body === undefined ? json : parse(body.toString());
  if (requestBody && read !== undefined) {
    errors.push(...fieldErrorsOf(contract, requestBody.pointer, read), ...errorsBeyondSchema(read));
  } else if (
    requestBody?.required &&
    json === undefined &&
    (body === undefined || body.length === 0)
  ) {
    errors.push({
      codes: ['required'],
      pointers: [''],
      clause: `${operation.pointer}/requestBody`,
    });
  }
  const pairs = queryOf(input);
  for (const [name, value] of pairs) {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    const { pointer: clause } = parameter ?? operation;
    if (!parameter) {
      errors.push({ codes: ['unknown'], parameter: name, clause });
    }
    // A cursor that the suite made up has the right form by the schema alone (D16).
    else if (pairs.filter(([other]) => other === name).length > 1) {
      errors.push({
        codes: name === 'cursor' ? ['repeated', 'format'] : ['repeated'],
        parameter: name,
        clause,
      });
    } else {
      errors.push(...parameterErrors(contract, parameter, value));
    }
  }
  // Two places to begin at (D16).
  const before = parameters.find(({ name }) => name === 'before_id');
  if (before && ['cursor', 'before_id'].every((name) => pairs.some(([other]) => other === name))) {
    errors.push({ codes: ['not_allowed_here'], parameter: 'before_id', clause: before.pointer });
  }
  for (const parameter of parameters.filter((one) => one.in === 'path')) {
    errors.push(...parameterErrors(contract, parameter, path[parameter.name] ?? ''));
  }
  return errors;
}

/** Decimal digits alone are a number. */
const DECIMAL = /^(0|[1-9]\d*)$/;

function parameterErrors(
  contract: Implementation['contract'],
  parameter: Parameter,
  raw: string,
): RequestError[] {
  const validate = (value: unknown) =>
    schemasOf(contract).validate(`${parameter.pointer}/schema`, value);
  const errors = validate(DECIMAL.test(raw) ? Number(raw) : raw);
  // A text of digits is a text where one is due.
  const real = errors.some(({ keyword }) => keyword === 'type') ? validate(raw) : errors;
  return real.map(({ keyword, pointer: clause }) => {
    const codes = fieldErrorTable(contract)!.get(keyword)?.codes;
    return { codes, parameter: parameter.name, in: parameter.in, clause };
  });
}

export function expectCode(response: HttpResponse, codes: readonly string[]): void {
  const { code } = response.json as { code: string };
  const what = 'The problem has another `code` than the contract gives for the error.';
  demand(codes.includes(code), what, `code ${codes.join(' or ')}`, `code ${code}`, CODE);
}

interface Reported {
  pointer?: string;
  parameter?: string;
  code?: string;
}

/** Characters that the contract allows a pointer. */
const MAX_POINTER = 4096;

/** The place, and where it is too long or UTF-8 cannot hold a name in it, the next one around it that can be named. */
function namesOf(place: string): string[] {
  let named = place;
  while (named.length > MAX_POINTER || !named.isWellFormed()) {
    named = named.slice(0, named.lastIndexOf('/'));
  }
  return [place, place.toWellFormed(), named];
}

function matchesPlace(error: RequestError, { parameter, pointer }: Reported): boolean {
  const { pointers = [], beside } = error;
  if (error.parameter !== undefined) {
    return error.parameter === parameter;
  }
  if (pointer === undefined) {
    return false;
  }
  if (beside) {
    return pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  }
  return pointers.some((one) => namesOf(one).includes(pointer));
}

/** At least one error is reported, and none but those of the request, with code and place. @throws Nonconformity */
export function expectReported(response: HttpResponse, errors: readonly RequestError[]): void {
  const [first] = errors;
  if (!first) {
    return;
  }
  const { code, errors: reported = [] } = response.json as { code: string; errors?: Reported[] };
  // A path that names nothing may be one that cannot be read.
  if (code === 'malformed_request' && errors.every((error) => error.in === 'path')) {
    return;
  }
  const invalid = 'A request that can be read and breaks the contract is `invalid_request`.';
  demand(code === 'invalid_request', invalid, 'code invalid_request', response.text, CODE);
  for (const one of reported) {
    const allowed = errors.filter((error) => matchesPlace(error, one));
    if (allowed.some(({ codes }) => codes === undefined || codes.includes(one.code ?? ''))) {
      continue;
    }
    // What may be reported beside an error explains nothing.
    const here = allowed.filter(({ beside }) => !beside);
    const elsewhere = 'An entry of `errors` names a place where the suite finds nothing wrong.';
    demand(here.length > 0, elsewhere, inWords(errors), one, first.clause);
    const what = 'The code of an error is not the one that the contract gives for the broken rule.';
    demand(false, what, inWords(here), one, here[0]!.clause);
  }
  // One that may be reported beside another one will do: a service may report a single error.
  const isNamed = reported.some((one) => errors.some((error) => matchesPlace(error, one)));
  demand(
    isNamed,
    'No entry of `errors` names an error of the request.',
    inWords(errors),
    response.text,
    first.clause,
  );
}

function inWords(errors: readonly RequestError[]): string {
  const texts = errors.map(({ codes, parameter, pointers = [], beside }) => {
    const places =
      parameter === undefined
        ? pointers.map((one) => JSON.stringify(one))
        : [`the parameter ${parameter}`];
    if (beside) {
      return [];
    }
    return `${codes?.join(' or ') ?? 'any code'} at ${places.join(' or ')}`;
  });
  return texts.flat().join('; or ');
}

/** By keyword, and by what a `then` or `else` asks for. */
type FieldErrorTable = Map<string, { codes: readonly string[]; place: string }>;

/** Its codes: first where the property is missing, and all where it is null. */
const REQUIRED = 'a property is missing or null';
const NOT_ALLOWED = 'a property must be null, false or empty';

/** Places as the table names them: the broken value itself, and others. */
const VALUES = ['the value', 'the text', 'the number', 'the list', 'the object'];
const SECOND_ITEM = 'the list, or the second of the two items';
const PROPERTIES = ['where the property would stand', 'the property'];
const PLACES = [...VALUES, SECOND_ITEM, ...PROPERTIES, 'the property, or the object'];

const HEADING = '### Field errors';
const HEAD = '| keyword | code | place |';

/** That of `info.description`, if it has the heading. A row that cannot be read is an error: none is missed. */
const fieldErrorTable = perContract(({ document }) =>
  parseFieldErrorTable(String(valueAt(document, '/info/description'))),
);

/** @throws Error that shows the row which cannot be read */
export function parseFieldErrorTable(description: string): FieldErrorTable | undefined {
  const section = new RegExp(`^${HEADING}$`, 'm').exec(description);
  if (!section) {
    return undefined;
  }
  const [text = ''] = description.slice(section.index + HEADING.length).split(/^#/m);
  const [head, , ...rows] = text.match(/^\|.*\|$/gm) ?? [];
  if (head !== HEAD) {
    throw new Error(`"${HEADING}" in the contract has no table of keyword, code and place`);
  }
  const table: FieldErrorTable = new Map();
  for (const row of rows) {
    const [, keyword = '', code = '', place = ''] = /^\| (.+) \| (.+) \| (.+) \|$/.exec(row) ?? [];
    const [keywords, codes] = [keyword, code].map((cell) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, one]) => one!),
    );
    const [, condition] = /^`then`, `else`: (.+)$/.exec(keyword) ?? [];
    // The names of properties have the codes of any text.
    if (keyword === '`propertyNames`' && code === 'as for a text') {
      continue;
    }
    const isList = [keyword, code].every((cell) => /^`[\w-]+`(, `[\w-]+`)*$/.test(cell));
    const isComplete = isList && [1, keywords!.length].includes(codes!.length);
    const isKnown =
      condition === undefined ? isComplete : [REQUIRED, NOT_ALLOWED].includes(condition);
    if (!PLACES.includes(place) || codes!.length === 0 || !isKnown) {
      throw new Error(`a row of "${HEADING}" in the contract cannot be read: ${row}`);
    }
    if (condition !== undefined) {
      table.set(condition, { codes: codes!, place });
    } else {
      for (const [at, one] of keywords!.entries()) {
        table.set(one, { codes: [codes![at] ?? codes![0]!], place });
      }
    }
  }
  if (!table.has(REQUIRED) || !table.has(NOT_ALLOWED)) {
    throw new Error(`"${HEADING}" in the contract lacks the two rows for \`then\` and \`else\``);
  }
  return table;
}

/** Every error of `body` by the schema at `pointer`: one thing may break several rules, of which any is reported. */
export function fieldErrorsOf(contract: Contract, pointer: string, body: unknown): RequestError[] {
  return schemasOf(contract)
    .validate(pointer, body)
    .flatMap((error) => [
      ...rulesFor(contract, error, body).map((rule) => ({ ...rule, clause: error.pointer })),
      ...besideWrongValue(contract, pointer, error, body),
    ]);
}

/** A rule that binds a wrong value to others may be broken, too: has `{github: 1, gitlab: {}}` one provider or two? */
function besideWrongValue(
  contract: Contract,
  root: string,
  error: SchemaError,
  body: unknown,
): RequestError[] {
  const { path, keyword, pointer: clause } = error;
  const table = fieldErrorTable(contract)!;
  if (!VALUES.includes(table.get(keyword)?.place ?? '')) {
    return [];
  }
  const required = table.get(REQUIRED)!.codes;
  const notAllowed = table.get(NOT_ALLOWED)!.codes;
  const isAround = ({ path: own }: Clause) =>
    own.length < path.length &&
    own.every((segment, index) => segment === '*' || segment === path[index]);
  return conditionsIn(contract, root).flatMap((one): RequestError[] => {
    if (!isAround(one)) {
      return [];
    }
    const holder = joinPointer('', ...path.slice(0, one.path.length));
    const [own, ...inside] = path.slice(one.path.length);
    if (!one.bound.has(own!)) {
      return [];
    }
    const pointers = [...one.bound]
      .filter((name) => name !== own)
      .map((name) => joinPointer(holder, name));
    const common = { beside: true, clause } as const;
    const tooFew = table.get('minProperties')?.codes;
    const isCounted = isObject(one.schema['then']) && 'minProperties' in one.schema['then'];
    // A value of another type, where no value is allowed, breaks both rules.
    const isFirst = inside.length === 0 && !isConditional(clause);
    const isForbidden = isFirst && forbids(contract, one, own!, valueAt(body, holder));
    return [
      ...(isForbidden
        ? [{ codes: notAllowed, pointers: [joinPointer('', ...path)], clause: one.pointer }]
        : []),
      { ...common, codes: [...required, ...notAllowed], pointers },
      ...(isCounted ? [{ ...common, codes: tooFew, pointers: [holder] }] : []),
    ];
  });
}

const conditionsIn = perPointers((contract, [root = '']) =>
  clausesOf(contract, root).flatMap((one) => {
    if (one.keyword === 'if') {
      return [{ ...one, bound: boundBy(one.schema) }];
    }
    return [];
  }),
);

/** Whether this branch applies to the object, and wants the property to be null, false, empty or disabled. */
function forbids(
  contract: Contract,
  { pointer, name }: Clause,
  property: string,
  object: unknown,
): boolean {
  const isMet = schemasOf(contract).isValid(pointer.replace(/(then|else)$/, 'if'), object);
  return (
    isMet === (name === 'then') &&
    isOff(valueAt(contract.document, joinPointer(pointer, 'properties', property)))
  );
}

function isOff(schema: unknown): boolean {
  if (!isObject(schema)) {
    return false;
  }
  const isEmpty = Object.entries(schema).some(([keyword, stated]) => isEmptying(keyword, stated));
  return (
    isEmpty || schema['const'] === false || Object.values(schema['properties'] ?? {}).some(isOff)
  );
}

/** The properties that an `if` and its branches speak of. */
function boundBy(schema: Record<string, unknown>): Set<string | number> {
  const parts = ['if', 'then', 'else'].map((keyword) => schema[keyword]).filter(isObject);
  const named = parts.map(({ properties }) => Object.keys(properties ?? {}));
  const required = parts.map((part) => (part['required'] ?? []) as string[]);
  return new Set([...named, ...required].flat());
}

function rulesFor(
  contract: Contract,
  error: SchemaError,
  body: unknown,
): Omit<RequestError, 'clause'>[] {
  const table = fieldErrorTable(contract)!;
  const required = table.get(REQUIRED)!.codes;
  const notAllowed = table.get(NOT_ALLOWED)!.codes;
  const { path, keyword, name, pointer } = error;
  const here = joinPointer('', ...path);
  const stated = valueAt(contract.document, pointer);
  const value = path.reduce<unknown>(
    (at, segment) => (at as Record<string, unknown>)[segment],
    body,
  );
  if (isConditional(pointer)) {
    // Such as `{type: [object, 'null'], required: [enabled], properties: {enabled: {const: false}}}`: null and false are
    // both right, so that the error may be at the property or at the object that holds it. Missing or null, it breaks
    // the row above, too.
    const missing =
      name === undefined
        ? []
        : [{ codes: required.slice(0, 1), pointers: [joinPointer(here, name)] }];
    const isNull = value === null ? [{ codes: required, pointers: [here] }] : [];
    if (keyword === 'required' && mustBeFalse(contract, error)) {
      return [{ codes: notAllowed, pointers: [here, joinPointer(here, name!)] }, ...missing];
    }
    if (keyword === 'const' && stated === false) {
      return [
        { codes: notAllowed, pointers: [here, joinPointer('', ...path.slice(0, -1))] },
        ...isNull,
      ];
    }
    if (isEmptying(keyword, stated)) {
      return [{ codes: notAllowed, pointers: [here] }];
    }
    if (keyword === 'required') {
      return missing;
    }
    if (keyword === 'type' && value === null) {
      return isNull;
    }
  }
  const rule = table.get(
    keyword === 'format' && BYTE_FORMAT.test(String(stated)) ? 'x-max-bytes' : keyword,
  );
  const codes = rule?.codes;
  // A rule on the names of properties may be reported at the object, too.
  if (name !== undefined) {
    return [
      {
        codes,
        pointers: [
          ...(PROPERTIES.includes(rule?.place ?? '') ? [] : [here]),
          joinPointer(here, name),
        ],
      },
    ];
  }
  if (rule?.place === SECOND_ITEM) {
    return [
      {
        codes,
        pointers: [here, ...repeatsIn(value as unknown[]).map((index) => joinPointer(here, index))],
      },
    ];
  }
  return [{ codes, pointers: [here] }];
}

/** Whether a keyword stands below a `then` or `else`, which may also be names of properties. */
function isConditional(pointer: string): boolean {
  return /(?<!\/properties)\/(then|else)(?=\/|$)/.test(pointer);
}

function mustBeFalse(contract: Contract, { pointer, name }: SchemaError): boolean {
  const holder = pointer.slice(0, pointer.lastIndexOf('/'));
  return valueAt(contract.document, joinPointer(`${holder}/properties`, name!, 'const')) === false;
}

function isEmptying(keyword: string, stated: unknown): boolean {
  if (keyword === 'type') {
    return stated === 'null';
  }
  if (keyword === 'const') {
    return stated === null;
  }
  return ['maxItems', 'maxLength', 'maxProperties'].includes(keyword) && stated === 0;
}

/** The places of items that equal one before. */
function repeatsIn(list: readonly unknown[]): number[] {
  const texts = list.map((item) => JSON.stringify(item));
  return texts.flatMap((text, index) => (texts.indexOf(text) < index ? [index] : []));
}

/** Errors that no schema can state, which `body` has or may have: only a service reads XML. */
export function errorsBeyondSchema(body: unknown): RequestError[] {
  const rule = (code: string, ...pointers: string[]) => {
    return { codes: [code], pointers, clause: '/components/schemas/FieldErrorCode' };
  };
  // JSON writes them as escapes; to look at each text takes longer.
  const mayHaveSome = /\\ud[89a-f]/.test(JSON.stringify(body));
  const errors = mayHaveSome
    ? [...loneSurrogates(body, '')].map((pointer) => rule('unicode', pointer))
    : [];
  if (!isObject(body)) {
    return errors;
  }
  for (const name of ['request_headers', 'response_headers']) {
    const { add, remove } = isObject(body[name]) ? body[name] : {};
    const folded = (names: unknown[]) =>
      names.map((one) => (typeof one === 'string' ? one.toLowerCase() : one));
    const added = isObject(add) ? Object.keys(add) : [];
    const removed = Array.isArray(remove) ? remove : [];
    const repeated = (member: string, ...at: readonly (string | number)[]) =>
      rule(
        'duplicate',
        joinPointer('', name, member),
        ...at.map((one) => joinPointer('', name, member, one)),
      );
    // Names of an object have no order: any of them may be the one too many.
    for (const index of repeatsIn(folded(added))) {
      errors.push(
        repeated(
          'add',
          ...added.filter((one) => one.toLowerCase() === added[index]!.toLowerCase()),
        ),
      );
    }
    errors.push(...repeatsIn(folded(removed)).map((index) => repeated('remove', index)));
  }
  const xml = isObject(body['saml']) ? body['saml']['idp_metadata'] : undefined;
  if (typeof xml === 'string') {
    return [...errors, rule('format', '/saml/idp_metadata')];
  }
  return errors;
}

/** Places of texts and names that UTF-8 cannot hold. */
function* loneSurrogates(value: unknown, pointer: string): Generator<string> {
  if (typeof value === 'string' && !value.isWellFormed()) {
    yield pointer;
  }
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (!name.isWellFormed()) {
      yield at;
    }
    yield* loneSurrogates(item, at);
  }
}
