/**
 * Functions over HTTP, without resources: a table of them, in which Ajv validates bodies by the
 * contract beside it.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Json, jsonOf } from '../../messages.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import { respond, type Service, type ServiceRequest, type ServiceResponse } from '../../service.ts';

export const KEY = 'functions-key';

type FunctionOfJson = (input: any) => Json;

/** @param document the parsed contract, which is changed */
export function createFunctions(document: any, planted: Planted = NOTHING): Service {
  loosen(document, planted);
  const validator = new Ajv2020({ strict: false, formats: { date: fullFormats.date } });
  validator.addSchema(document, 'contract');
  const functions = functionsWith(planted);

  const call = (name: string, { headers, body }: ServiceRequest): ServiceResponse => {
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
      return refuse(415, 'send JSON');
    }
    const input = jsonOf({ body });
    const schema = name.charAt(0).toUpperCase() + name.slice(1);
    if (!validator.validate(`contract#/components/schemas/${schema}`, input)) {
      return refuse(400, validator.errorsText());
    }
    try {
      return respond(200, functions[name]?.(input));
    } catch (error) {
      return refuse(500, String(error));
    }
  };

  return async (request) => {
    const { method, target, headers } = request;
    const { pathname, searchParams } = new URL(target, 'http://functions.example');
    const name = pathname.slice(1);
    const allow = name === 'convert' ? 'GET' : 'POST';
    if (allow === 'POST' && !Object.hasOwn(functions, name)) {
      return refuse(404, 'there is no such path');
    }
    if (method !== allow) {
      return refuse(405, 'there is no such method', { allow });
    }
    const isOpen = planted('key-is-not-checked') && name === 'split';
    if (headers['x-api-key'] !== KEY && !isOpen) {
      return refuse(401, 'the key is wrong');
    }
    if (name !== 'convert') {
      return call(name, request);
    }
    const converted = convert(searchParams, planted);
    if (converted) {
      return respond(200, converted);
    }
    return refuse(400, 'the query is wrong');
  };
}

const refuse = (status: number, error: string, headers: Record<string, string> = {}) =>
  respond(status, { error }, headers);

/** Removes the rule that an error leaves unchecked. */
function loosen(document: any, planted: Planted): void {
  const { Split, Later, Device, Clean } = document.components.schemas;
  const { channels, labels } = Device.properties;
  if (planted('maximum-is-not-checked')) {
    delete Split.properties.amount.maximum;
  }
  if (planted('date-is-not-checked')) {
    delete Later.properties.date.format;
  }
  if (planted('if-is-not-checked')) {
    delete Device.then;
  }
  if (planted('dependent-required-is-not-checked')) {
    delete Device.dependentRequired;
  }
  if (planted('dependent-schema-is-not-checked')) {
    delete Device.dependentSchemas;
  }
  if (planted('unevaluated-is-not-checked')) {
    delete Clean.unevaluatedProperties;
  }
  if (planted('contains-is-not-checked')) {
    delete channels.contains;
  }
  if (planted('names-are-not-checked')) {
    labels.additionalProperties = true;
  }
  if (planted('name-length-is-not-checked')) {
    delete labels.propertyNames;
  }
}

const DAY_MS = 86_400_000;

interface LaterInput {
  /** A date without a time, such as `2026-01-31`. */
  date: string;
  days?: number;
}

function functionsWith(planted: Planted): Record<string, FunctionOfJson> {
  return {
    sum({ numbers }: { numbers: number[] }) {
      if (planted('empty-list-ends-in-500')) {
        numbers.reduce((a, b) => a + b);
      }
      const sum = numbers.reduce((a, b) => a + b, 0);
      return { sum: planted('sum-is-32-bit') ? sum | 0 : sum };
    },

    slug({ text, separator = '-' }: { text: string; separator?: string }) {
      const others = planted('other-letters-stay') ? /[^\p{L}0-9]+/gu : /[^a-z0-9]+/g;
      if (planted('wide-letters-end-in-500')) {
        encodeURIComponent(text.slice(0, 1));
      }
      return { slug: text.toLowerCase().replaceAll(others, separator) };
    },

    later({ date, days = planted('another-default') ? -1 : 0 }: LaterInput) {
      const later = new Date(Date.parse(date) + days * DAY_MS);
      const weekday = later.toUTCString().slice(0, 3);
      if (planted('month-of-any-length') && days === 0) {
        const withoutZeros = date.split('-').map(Number).slice(0, 3).join('-');
        return { date: withoutZeros, days, weekday };
      }
      const [laterDate] = later.toISOString().split('T');
      if (planted('member-is-missing-at-times') && days > 1000) {
        return { date: laterDate, days };
      }
      return { date: laterDate, days, weekday };
    },

    clean: (device: Json) => (planted('title-is-number') ? { ...device, title: 1 } : device),

    split({ amount, people }: { amount: number; people: number }) {
      const share = Math.floor(amount / people);
      const rest = amount % people;
      const shares = Array.from({ length: people }, (_, index) =>
        index < rest ? share + 1 : share,
      );
      return { shares };
    },
  };
}

const METRES: Readonly<Record<string, number>> = { mm: 0.001, m: 1, km: 1000 };
const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i;
const MAX_LENGTH = 1e6;

/** The converted length; undefined if a parameter is wrong. */
function convert(query: URLSearchParams, planted: Planted): Json | undefined {
  const { value = '', from = 'm', to = '' } = Object.fromEntries(query);
  const length = Number(value);
  if (!NUMBER.test(value) || length < 0 || length > MAX_LENGTH) {
    return undefined;
  }
  const areUnits = Object.hasOwn(METRES, from) && Object.hasOwn(METRES, to);
  if (!areUnits && !planted('unit-is-not-checked')) {
    return undefined;
  }
  const metres = length * (METRES[from] ?? Number.NaN);
  const converted = metres / (METRES[to] ?? 1);
  return { value: planted('value-becomes-text') ? converted.toFixed(2) : converted, unit: to };
}
