/** Leaves a service running for work by hand. */
import { placeOf, type RealService } from './service.ts';
import { start, type StartedService } from './start.ts';

/** Starts a service and prints what tools need to know of it. A signal ends both processes. */
export async function keep(service: RealService, port: number | undefined): Promise<void> {
  const started = await start(service, port);
  const { url, contract, existing, ended } = started;
  const { credentials, basePath = '' } = service;
  const lines = [
    `${service.title} runs until Ctrl-C`,
    `URL        ${url}${basePath}`,
    `contract   ${contract}`,
    `existing   ${Object.values(existing).map(placeOf).join(' ')}`,
  ];
  if (credentials) {
    lines.push(`header     ${credentials.header}: ${credentials.value}`);
  }
  lines.push(`suite      ${suiteCommand(service, started)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  await ended;
  process.stdout.write(`${service.title} has ended\n`);
  await started.stop();
}

/** As a line of a shell. */
function suiteCommand(service: RealService, { url, contract }: StartedService): string {
  const { credentials, basePath = '' } = service;
  const command = `node dist/conformance/main.js ${url}${basePath} --contract ${contract}`;
  if (!credentials) {
    return command;
  }
  const { header, value, hasScheme } = credentials;
  if (hasScheme) {
    return `CONFORMANCE_TOKEN='${value}' ${command}`;
  }
  return `${command} --header '${header}: ${value}'`;
}
