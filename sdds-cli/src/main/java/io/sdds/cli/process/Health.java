package io.sdds.cli.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** A plain HTTP answer at {@code /health}: 200 when the process serves, 503 when it does not yet. */
public final class Health implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;

    private Health(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to answer.
     *
     * @throws BindException when the port is in use
     */
    public static Health serve(String host, int port, BooleanSupplier ready) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, port), 0);
        } catch (BindException e) {
            throw (IOException)
                    new BindException("can't listen on " + host + ":" + port + " for /health: " + e.getMessage())
                            .initCause(e);
        }
        server.createContext("/health", exchange -> answer(exchange, ready.getAsBoolean()));
        server.start();
        return new Health(server);
    }

    private static void answer(HttpExchange exchange, boolean ready) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            boolean head = method.equals("HEAD");
            if (!head && !method.equals("GET")) {
                exchange.sendResponseHeaders(NOT_ALLOWED, -1);
                return;
            }
            byte[] body = (ready ? "ok\n" : "starting\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(ready ? OK : UNAVAILABLE, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
