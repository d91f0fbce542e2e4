import { columns } from '../../tools/columns.ts';
import type { Trip } from './trip.ts';

const HEAD = ['language', 'generator', 'version', 'generate s', 'build s', 'result'];

/** A table, what went wrong, and a last line `N passed, N failed`, with `, N skipped` where there are some. */
export function table(trips: readonly Trip[]): string {
  const time = (value?: number) => value?.toFixed(1) ?? '-';
  const rows = [
    HEAD,
    ...trips.map(({ language, result, generateS, buildS }) => [
      language.name,
      language.generator,
      language.version,
      time(generateS),
      time(buildS),
      result,
    ]),
  ];
  const details = trips.flatMap(({ language, result, detail }) =>
    detail === undefined ? [] : [`${language.name} ${result}: ${detail}`],
  );
  const count = (result: Trip['result']) => trips.filter((one) => one.result === result).length;
  const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return [
    columns(rows, [3, 4]),
    '',
    ...details,
    ...(details.length > 0 ? [''] : []),
    `${count('passed')} passed, ${count('failed')} failed${skipped}`,
    '',
  ].join('\n');
}
