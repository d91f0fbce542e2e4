import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '3.13.2';
const JAR = `wiremock-standalone-${VERSION}.jar`;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** A server of recorded responses, by the API that sets it up: Java and Jetty. */
export const wiremock: RealService = {
  name: 'wiremock',
  title: `WireMock standalone ${VERSION}`,
  needs: ['java', 'mvn'],
  install: () =>
    cached(`wiremock-${VERSION}`, (to) => {
      const artifact = `-Dartifact=org.wiremock:wiremock-standalone:${VERSION}`;
      const args = ['-q', '-B', COPY, artifact, `-DoutputDirectory=${to}`];
      return run({ command: 'mvn', args });
    }),
  program: ({ installed, data, port }) => {
    const place = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', data];
    return { command: 'java', args: ['-jar', join(installed, JAR), ...place] };
  },
  readyPath: '/__admin/health',
  contract: { path: '/__admin/docs/swagger' },
  async makeExisting(send) {
    const stub = { request: { urlPath: '/kept' }, response: { status: 200, body: 'kept' } };
    const { id } = (await send('POST', '/__admin/mappings', stub)) as { id: string };
    return { 'a stub': `/__admin/mappings/${id}`, 'the response of a stub': '/kept' };
  },
};
