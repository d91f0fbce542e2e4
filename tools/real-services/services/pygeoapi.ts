import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonEnvironment, run } from '../../shell.ts';
import type { Place, RealService } from '../service.ts';

const VERSION = '0.21.0';

const OBSERVATIONS = `id,station,datetime,value,lat,long
371,35,2001-10-30T14:24:55Z,89.9,45,-75
377,35,2002-10-30T18:31:38Z,93.9,45,-75
`;

const LAKES = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'kept',
      geometry: { type: 'Point', coordinates: [8.5, 47.3] },
      properties: { id: 'kept', name: 'Zurich' },
    },
  ],
};

const SITE = 'https://example.org';

const IDENTIFICATION = {
  title: 'Observations',
  description: 'Observations and lakes',
  keywords: ['geospatial'],
  keywords_type: 'theme',
  terms_of_service: SITE,
  url: SITE,
};

const CONTACT = {
  name: 'Nobody',
  position: 'None',
  address: 'None',
  city: 'None',
  stateorprovince: 'None',
  postalcode: '1',
  country: 'None',
  phone: '1',
  fax: '1',
  email: 'nobody@example.org',
  url: SITE,
  hours: 'None',
  instructions: 'None',
  role: 'pointOfContact',
};

const BBOX = [-180, -90, 180, 90];
const CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

function collection(title: string, provider: object): object {
  return {
    type: 'collection',
    title,
    description: title,
    keywords: [title],
    links: [{ type: 'text/html', rel: 'canonical', title, href: SITE, hreflang: 'en-US' }],
    extents: { spatial: { bbox: BBOX, crs: CRS } },
    providers: [{ type: 'feature', id_field: 'id', ...provider }],
  };
}

function configuration(port: number): object {
  return {
    server: {
      bind: { host: '127.0.0.1', port },
      url: `http://127.0.0.1:${port}`,
      mimetype: 'application/json; charset=UTF-8',
      encoding: 'utf-8',
      gzip: false,
      languages: ['en-US'],
      limits: { default_items: 20, max_items: 50 },
      map: { url: `${SITE}/{z}/{x}/{y}.png`, attribution: 'None' },
    },
    logging: { level: 'ERROR' },
    metadata: {
      identification: IDENTIFICATION,
      license: { name: 'CC-BY 4.0', url: SITE },
      provider: { name: 'Nobody', url: SITE },
      contact: CONTACT,
    },
    resources: {
      observations: collection('Observations', {
        name: 'CSV',
        data: 'observations.csv',
        geometry: { x_field: 'long', y_field: 'lat' },
      }),
      lakes: collection('Lakes', { name: 'GeoJSON', data: 'lakes.geojson', editable: true }),
      'hello-world': { type: 'process', processor: { name: 'HelloWorld' } },
    },
  };
}

const FILES = { PYGEOAPI_CONFIG: 'config.json', PYGEOAPI_OPENAPI: 'openapi.json' };

/** Features of maps, and processes: Flask, with a contract that it makes from its settings. */
export const pygeoapi: RealService = {
  name: 'pygeoapi',
  title: `pygeoapi ${VERSION}`,
  needs: ['python3'],
  install: () => pythonEnvironment(`pygeoapi-${VERSION}`, `pygeoapi==${VERSION}`),
  async prepare({ installed, data, port }: Place) {
    const { PYGEOAPI_CONFIG: config, PYGEOAPI_OPENAPI: contract } = FILES;
    writeFileSync(join(data, config), JSON.stringify(configuration(port)));
    writeFileSync(join(data, 'observations.csv'), OBSERVATIONS);
    writeFileSync(join(data, 'lakes.geojson'), JSON.stringify(LAKES));
    await run({
      command: join(installed, 'bin', 'pygeoapi'),
      args: ['openapi', 'generate', config, '--format', 'json', '--output-file', contract],
      cwd: data,
      env: FILES,
    });
  },
  program: ({ installed }) => ({
    command: join(installed, 'bin', 'pygeoapi'),
    args: ['serve'],
    env: FILES,
  }),
  readyPath: '/conformance?f=json',
  contract: { path: '/openapi?f=json' },
  async makeExisting() {
    return { 'a lake': '/collections/lakes/items/kept?f=json' };
  },
};
