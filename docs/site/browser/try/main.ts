/** The page's own script: starts Swagger UI, and completes what it renders. */
import { improveNames } from './names.ts';
import { offerIds, rememberIds } from './offers.ts';

interface Spec {
  servers: [{ variables: { base_url: { default: string } } }];
  paths: Record<string, unknown>;
}

interface Response {
  obj?: unknown;
}

interface SwaggerUI {
  specActions: { updateUrl: (url: string) => void };
}

declare const SwaggerUIBundle: (options: object) => SwaggerUI;

const text = document.getElementById('spec')?.textContent ?? '';
const spec = JSON.parse(text) as Spec;
const address = spec.servers[0].variables.base_url;

// A server of this API serves the page at /try, below its base address; elsewhere it is a file
// beside the docs.
const [, served] = /^(https?:.*)\/try$/.exec(location.origin + location.pathname) ?? [];
if (served === undefined) {
  document.getElementById('docs')?.setAttribute('href', 'index.html');
} else {
  address.default = served;
}
// A link from the docs names an operation, which Swagger UI takes behind "#".
if (location.search !== '') {
  history.replaceState(null, '', `${location.pathname}#/${location.search.slice(1)}`);
}

const scheme = matchMedia('(prefers-color-scheme: dark)');
const followScheme = (): void => {
  document.documentElement.classList.toggle('dark-mode', scheme.matches);
};
scheme.addEventListener('change', followScheme);
followScheme();

const { specActions } = SwaggerUIBundle({
  spec,
  dom_id: '#console',
  // The docs have the models; nothing is sent to a validator elsewhere, and no token is stored.
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  docExpansion: served === undefined || location.hash !== '' ? 'none' : 'list',
  tryItOutEnabled: true,
  responseInterceptor: (response: Response) => {
    rememberIds(response.obj, Object.keys(spec.paths));
    return response;
  },
});
// Nothing is read from there; without it, references do not resolve in a file.
specActions.updateUrl(address.default);

function improve(): void {
  improveNames();
  offerIds();
}
new MutationObserver(improve).observe(document.body, { childList: true, subtree: true });
improve();
