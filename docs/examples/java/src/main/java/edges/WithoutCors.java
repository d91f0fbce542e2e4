package edges;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Hides the header field `Origin`: the contract does not name it, so that it changes nothing. With
 * it, the `Allow` of an OPTIONS request (a preflight) would have methods that the path lacks.
 */
@Component
class WithoutCors extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public String getHeader(String name) {
                        boolean isOrigin = HttpHeaders.ORIGIN.equalsIgnoreCase(name);
                        return isOrigin ? null : super.getHeader(name);
                    }
                },
                response);
    }
}
