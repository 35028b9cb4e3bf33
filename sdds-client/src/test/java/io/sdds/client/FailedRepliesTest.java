package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.KeyRequest;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.Opcode;
import org.junit.jupiter.api.Test;

/** Replies that the client's thread cannot read to their end. */
class FailedRepliesTest {
    private final ClientFixture world = new ClientFixture(1, 4);

    /** A GET at whose reply the client has no stack left. A test cannot throw an OutOfMemoryError: JUnit ends at it. */
    private static final class Exhausted extends KeyRequest<Void> {
        Exhausted(RoutedTable table, long deadlineNanos) {
            super(table, Opcode.GET, deadlineNanos, "key".getBytes(UTF_8));
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            throw new StackOverflowError("of the test");
        }

        @Override
        protected void failed(Failure failure) {
            completeExceptionally(Failures.exception(failure));
        }
    }

    @Test
    void anErrorFailsItsRequestAtOnceAndOthersGoOn() {
        world.await(world.table.putAsync("key", "value"));
        RoutedTable table = world.table.contexts.current().table();
        long begin = world.env.nowNanos();
        Exhausted request = new Exhausted(table, begin + ClientFixture.TIMEOUT_MILLIS * 1_000_000);
        assertThat(table.node().window().tryEnter(request.windowBytes())).isTrue();
        world.env.execute(request);
        assertThat(world.awaitFailure(request, SddsException.class))
                .hasMessageContaining("the client failed to read the reply: java.lang.StackOverflowError: of the test");
        assertThat(world.env.nowNanos() - begin).isLessThan(1_000_000_000L);
        assertThat(world.await(world.table.getAsync("key"))).isEqualTo("value");
    }
}
