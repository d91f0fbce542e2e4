package edges;

import edges.Application.Settings;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import org.springframework.web.util.UriComponentsBuilder;

/** How each `uri` of the current request begins. */
@Component
class BaseUrl {
    private final Settings settings;

    BaseUrl(Settings settings) {
        this.settings = settings;
    }

    UriComponentsBuilder get() {
        if (settings.publicUrl().isEmpty()) {
            return ServletUriComponentsBuilder.fromCurrentContextPath();
        }
        return UriComponentsBuilder.fromUriString(settings.publicUrl());
    }
}
