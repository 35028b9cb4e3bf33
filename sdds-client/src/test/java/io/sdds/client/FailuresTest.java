package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.protocol.Status;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of exceptions of codecs, consumers and callbacks. Each future ends with the exception itself. */
class FailuresTest {
    private final ClientFixture fixture = new ClientFixture(2, 3);

    /** An error, a checked exception that is not declared, and a common exception. */
    static Stream<Throwable> throwables() {
        return Stream.of(
                new NoClassDefFoundError("planned"), new IOException("planned"), new IllegalStateException("planned"));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable planned) throws E {
        throw (E) planned;
    }

    /** A codec of text whose decoding fails. */
    private static Codec<String> unreadable(Throwable planned) {
        return new Codec<>() {
            @Override
            public byte[] encode(String text) {
                return text.getBytes(UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                throw FailuresTest.<RuntimeException>sneaky(planned);
            }

            @Override
            public boolean ordered() {
                return false;
            }
        };
    }

    private HashTable<String, String> table(Codec<String> keys, Codec<String> values) {
        return fixture.await(fixture.client.hashTableAsync("t", keys, values));
    }

    /** The exception that the future ends with, as its first dependent sees it. */
    private Throwable failure(CompletableFuture<?> future) {
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        future.whenComplete((result, failure) -> seen.complete(failure));
        return fixture.await(seen);
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void whateverACodecThrowsOnDecodingIsTheCauseOfACodecException(Throwable planned) {
        fixture.await(fixture.table.putAsync("a", "1"));
        HashTable<String, String> table = table(Codec.utf8(), unreadable(planned));
        HashTable<String, String> keys = table(unreadable(planned), Codec.utf8());
        CompletableFuture<SddsException> called = new CompletableFuture<>();
        table.getAsync("a", (value, failure) -> called.complete(failure));
        assertThat(Stream.of(
                        failure(table.getAsync("a")),
                        failure(table.getVersionedAsync("a")),
                        failure(table.getAllAsync(List.of("a"))),
                        failure(table.scan().forEachAsync((key, value) -> {})),
                        failure(keys.scan().forEachAsync((key, value) -> {})),
                        fixture.await(called)))
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(CodecException.class)
                        .hasCause(planned)
                        .hasMessageContaining("planned"));
        assertThat(fixture.statistics().linksLost()).isZero();
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void whateverAConsumerThrowsIsWhatItsFutureEndsWith(Throwable planned) {
        fixture.await(fixture.table.putAsync("a", "1"));
        CompletableFuture<Void> scan = fixture.table.scan().forEachAsync((key, value) -> {
            throw FailuresTest.<RuntimeException>sneaky(planned);
        });
        assertThat(failure(scan)).isSameAs(planned);
        assertThat(fixture.statistics().linksLost()).isZero();
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void whatACallbackThrowsHarmsNobodyElse(Throwable planned) {
        CompletableFuture<Void> called = new CompletableFuture<>();
        fixture.table.getAsync("a", (value, failure) -> {
            called.complete(null);
            throw FailuresTest.<RuntimeException>sneaky(planned);
        });
        fixture.await(called);
        assertThat(fixture.await(fixture.table.getAsync("a"))).isNull();
        assertThat(fixture.statistics().linksLost()).isZero();
    }

    @Test
    void futuresEndWithTheFailureItselfWhateverTheyAreMadeOf() {
        assertThat(failure(fixture.client.hashTableAsync("none", Codec.utf8(), Codec.utf8())))
                .isInstanceOf(NoSuchTableException.class);
        assertThat(failure(fixture.client.rangeTableAsync("t", Codec.utf8(), Codec.utf8())))
                .isInstanceOf(IllegalArgumentException.class);
        fixture.cluster.script(request -> Answer.of(Status.NO_SUCH_TABLE));
        assertThat(Stream.of(
                        failure(fixture.table.getAsync("a")),
                        failure(fixture.table.getAllAsync(List.of("a"))),
                        failure(fixture.table.putAsync("a", "1")),
                        failure(fixture.table.sizeAsync()),
                        failure(fixture.table.scan().forEachAsync((key, value) -> {}))))
                .hasOnlyElementsOfType(NoSuchTableException.class);
    }
}
