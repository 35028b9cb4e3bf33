package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.node.Readiness;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private String ask(Health health, String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + health.port() + path);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body().strip();
    }

    @Test
    void aProcessMayLiveAndNotBeReady() throws Exception {
        try (Health health = Health.serve("127.0.0.1", 0, () -> Readiness.OK, () -> Readiness.no("draining"))) {
            assertThat(ask(health, "GET", "/health/live")).isEqualTo("200 ok");
            assertThat(ask(health, "GET", "/health/ready")).isEqualTo("503 draining");
            assertThat(ask(health, "GET", "/health")).isEqualTo("503 draining");
            assertThat(ask(health, "HEAD", "/health").strip()).isEqualTo("503");
        }
    }

    @Test
    void otherPathsAndMethodsAreRefused() throws Exception {
        try (Health health = Health.serve("127.0.0.1", 0, () -> Readiness.OK, () -> Readiness.OK)) {
            assertThat(ask(health, "GET", "/health/other").strip()).isEqualTo("404");
            assertThat(ask(health, "GET", "/").strip()).isEqualTo("404");
            assertThat(ask(health, "POST", "/health").strip()).isEqualTo("405");
        }
    }
}
