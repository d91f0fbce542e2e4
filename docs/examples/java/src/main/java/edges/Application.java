package edges;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * An example service: the core level of the contract on Spring Boot. A JSON Schema validator reads
 * openapi.yaml at start, so that no rule on bodies is repeated here. The data are in memory: put
 * your storage in their place.
 *
 * <pre>
 * CONTRACT=openapi.yaml PORT=8080 API_TOKEN=secret \
 *     PUBLIC_URL=https://api.example.com mvn spring-boot:run
 * </pre>
 *
 * Without API_TOKEN, it runs open. Without PUBLIC_URL, each `uri` begins with the host that the
 * client named.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class Application implements WebMvcConfigurer {
    private final RequestRules requestRules;

    Application(RequestRules requestRules) {
        this.requestRules = requestRules;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    /** See application.properties. */
    @ConfigurationProperties("api")
    public record Settings(String contract, String token, String publicUrl) {
        boolean isOpen() {
            return token.isEmpty();
        }
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(requestRules);
    }

    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer negotiation) {
        negotiation.strategies(List.of(new AcceptsJson()));
    }
}
