/** Functions over HTTP, without resources: a table of them, in which Ajv checks bodies by the contract beside it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Json, jsonOf } from '../../mutation/operator.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import { respond, type Service } from '../../service.ts';

export const KEY = 'functions-key';

const METRES: Record<string, number> = { mm: 0.001, m: 1, km: 1000 };
const DAY_MS = 86_400_000;

/** @param document the parsed contract, which is changed */
export function createFunctions(document: any, planted: Planted = NOTHING): Service {
  const { Split, Later } = document.components.schemas;
  if (planted('maximum-is-not-checked')) {
    delete Split.properties.amount.maximum;
  }
  if (planted('date-is-not-checked')) {
    delete Later.properties.date.format;
  }
  const { Device, Clean } = document.components.schemas;
  const { channels, labels } = Device.properties;
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
  const checks = new Ajv2020({ strict: false, formats: { date: fullFormats.date } }).addSchema(
    document,
    'contract',
  );

  const functions: Record<string, (input: any) => Json> = {
    sum({ numbers }: { numbers: number[] }) {
      if (planted('empty-list-ends-in-500')) {
        numbers.reduce((a, b) => a + b);
      }
      const sum = numbers.reduce((a, b) => a + b, 0);
      return { sum: planted('sum-is-32-bit') ? sum | 0 : sum };
    },
    slug({ text, separator = '-' }: { text: string; separator?: string }) {
      const letters = planted('other-letters-stay') ? /[^\p{L}0-9]+/gu : /[^a-z0-9]+/g;
      if (planted('wide-letters-end-in-500')) {
        encodeURIComponent(text.slice(0, 1));
      }
      return { slug: text.toLowerCase().replaceAll(letters, separator) };
    },
    later({ date, days = planted('another-default') ? -1 : 0 }: { date: string; days?: number }) {
      const [year, month, day] = date.split('-').map(Number) as [number, number, number];
      const later = new Date(Date.parse(date) + days * DAY_MS);
      const [end] = later.toISOString().split('T');
      const weekday = later.toUTCString().slice(0, 3);
      if (planted('month-of-any-length') && days === 0) {
        return { date: `${year}-${month}-${day}`, days, weekday };
      }
      return {
        date: end,
        days,
        ...(!(planted('member-is-missing-at-times') && days > 1000) && { weekday }),
      };
    },
    clean: (device: Json) => (planted('title-is-number') ? { ...device, title: 1 } : device),
    split({ amount, people }: { amount: number; people: number }) {
      const less = Math.floor(amount / people);
      return {
        shares: Array.from({ length: people }, (_, at) => less + (at < amount % people ? 1 : 0)),
      };
    },
  };

  function convert(query: URLSearchParams): Json | undefined {
    const { value = '', from = 'm', to = '' } = Object.fromEntries(query);
    const isNumber =
      /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value) && Number(value) >= 0 && Number(value) <= 1e6;
    if (!Object.hasOwn(METRES, from) || !Object.hasOwn(METRES, to) || !isNumber) {
      if (!planted('unit-is-not-checked') || !isNumber) {
        return undefined;
      }
    }
    const converted = (Number(value) * METRES[from]!) / (METRES[to] ?? 1);
    return { value: planted('value-becomes-text') ? converted.toFixed(2) : converted, unit: to };
  }

  return async ({ method, target, headers, body }) => {
    const { pathname, searchParams } = new URL(target, 'http://functions.example');
    const name = pathname.slice(1);
    const allow = name === 'convert' ? 'GET' : 'POST';
    if (allow === 'POST' && !Object.hasOwn(functions, name)) {
      return respond(404, { error: 'there is no such path' });
    }
    if (method !== allow) {
      return respond(405, { error: 'there is no such method' }, { allow });
    }
    const isOpen = planted('key-is-not-checked') && name === 'split';
    if (headers['x-api-key'] !== KEY && !isOpen) {
      return respond(401, { error: 'the key is wrong' });
    }
    if (name === 'convert') {
      const converted = convert(searchParams);
      if (converted) {
        return respond(200, converted);
      }
      return respond(400, { error: 'the query is wrong' });
    }
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
      return respond(415, { error: 'send JSON' });
    }
    const input = jsonOf({ body });
    const schema = name[0]!.toUpperCase() + name.slice(1);
    if (!checks.validate(`contract#/components/schemas/${schema}`, input)) {
      return respond(400, { error: checks.errorsText() });
    }
    try {
      return respond(200, functions[name]!(input));
    } catch (error) {
      return respond(500, { error: String(error) });
    }
  };
}
