package io.sdds.cli.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sdds.core.node.Readiness;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * HTTP health endpoint of a process. Answers 200 or 503 with a line of text: {@code /health/live} tells whether the
 * threads of the process make progress, {@code /health/ready} and {@code /health} whether the process should be used.
 */
public final class Health implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;

    private Health(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts the endpoint.
     *
     * @throws BindException if the port is in use
     */
    public static Health serve(String host, int port, Supplier<Readiness> live, Supplier<Readiness> ready)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, port), 0);
        } catch (BindException e) {
            throw (IOException)
                    new BindException("cannot listen on " + host + ":" + port + " for /health: " + e.getMessage())
                            .initCause(e);
        }
        Map<String, Supplier<Readiness>> answers =
                Map.of("/health", ready, "/health/ready", ready, "/health/live", live);
        server.createContext(
                "/",
                exchange ->
                        answer(exchange, answers.get(exchange.getRequestURI().getPath())));
        server.start();
        return new Health(server);
    }

    private static void answer(HttpExchange exchange, @Nullable Supplier<Readiness> question) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            boolean head = method.equals("HEAD");
            if (question == null || !head && !method.equals("GET")) {
                exchange.sendResponseHeaders(question == null ? NOT_FOUND : NOT_ALLOWED, -1);
                return;
            }
            Readiness state = question.get();
            byte[] body = (state.text() + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(state.yes() ? OK : UNAVAILABLE, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** The port of the endpoint. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
