/** Values that the service knows, as the file of `--data` has them. */
import { byName } from '../engine/contract/by-name.ts';
import type { Options } from './options.ts';
import type { Contract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { isObject } from '../engine/contract/pointers.ts';
import type { CallData } from '../engine/http/implementation.ts';
import { OptionError } from '../engine/run/known-failures.ts';

type Values = Record<string, unknown>;

/** Values of parameters by name, those by operation and name, and bodies by operation. */
type Data = Record<'parameters' | 'parametersOf' | 'bodies', Values>;

/**
 * Values that the service knows, for what neither links nor examples of the contract say.
 * @throws OptionError
 */
export function readData(contract: Contract, { data: file, dataMap }: Options): Data {
  const operations = operationsOf(contract);
  const withBody = operations.filter(({ requestBody }) => requestBody);
  const names = {
    parameters: operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
    bodies: withBody.map(({ operationId }) => operationId),
  };
  const known: Record<string, string[]> = names;
  const { parameters = {}, bodies = {}, credentials: _, ...rest } = dataMap;
  const isOwn = ([name, value]: [string, unknown]) =>
    isObject(value) && operations.some(({ operationId }) => operationId === name);
  const entries = Object.entries(Object(parameters) as Values);
  const own = entries.filter(isOwn);
  const shared = isObject(parameters)
    ? Object.fromEntries(entries.filter((one) => !isOwn(one)))
    : parameters;
  const given = { ...rest, parameters: shared, bodies };
  const kinds = [
    ...Object.entries(given),
    ...own.map(([, values]): [string, unknown] => ['parameters', values]),
  ];
  for (const [kind, values] of kinds) {
    if (known[kind] === undefined || !isObject(values)) {
      throw new OptionError(
        `--data ${file}: ${kind} must be parameters, bodies or credentials, and a map`,
      );
    }
    const unknown = Object.keys(values).find((name) => !known[kind]!.includes(name));
    if (unknown !== undefined) {
      throw new OptionError(`--data ${file}: no operation has ${unknown} among its ${kind}`);
    }
  }
  return { ...given, parametersOf: Object.fromEntries(own) } as Data;
}

/** The data as calls take them: each value of a list in turn. */
export function callDataOf(data: Data): CallData {
  return {
    source: '--data',
    parameters: mapValues(data.parameters, inTurn),
    parametersOf: mapValues(data.parametersOf, (values) =>
      mapValues(Object(values) as Values, inTurn),
    ),
    given: data.parameters,
    givenOf: data.parametersOf as Record<string, Values>,
    bodies: mapValues(data.bodies, (value) => () => structuredClone(value)),
  };
}

/** A list has one for each call, and begins again. */
function inTurn(given: unknown): () => Promise<string> {
  const values = [given].flat();
  let calls = 0;
  return async () => String(values[calls++ % values.length]);
}

function mapValues<T>(
  values: Record<string, unknown>,
  make: (value: unknown) => T,
): Record<string, T> {
  return byName(Object.entries(values).map(([name, value]) => [name, make(value)] as const));
}
