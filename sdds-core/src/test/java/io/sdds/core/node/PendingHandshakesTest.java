package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Hello;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingHandshakesTest {
    private final FakeWorld.FakeEnv env = new FakeWorld(1).newEnv();
    private final PendingHandshakes pendingHandshakes = new PendingHandshakes();
    private final List<Link> opened = new ArrayList<>();

    @Test
    void oneMoreThanMayWaitTakesThePlaceOfTheOneThatWaitedLongest() {
        for (int k = 0; k < PendingHandshakes.MAX + 2; k++) {
            open();
        }
        assertThat(pendingHandshakes.count()).isEqualTo(PendingHandshakes.MAX);
        assertThat(opened.subList(0, 2)).allMatch(Link::isDown);
        assertThat(opened.subList(2, opened.size())).noneMatch(Link::isDown);
    }

    @Test
    void whoHasSaidItsHelloIsNoStrangerAnyMore() {
        open();
        pendingHandshakes.leaves(opened.get(0));
        for (int k = 0; k < 2 * PendingHandshakes.MAX; k++) {
            open();
        }
        assertThat(opened.get(0).isDown()).isFalse();
    }

    private void open() {
        Link link = Link.accepted(env, new Door(), () -> Hello.of(Hello.Role.BRICK, "b1", 1));
        opened.add(link);
        link.onOpened(new FakeConnection());
    }

    private final class Door implements Node {
        @Override
        public void onLinkOpened(Link link) {
            pendingHandshakes.opened(link);
        }

        @Override
        public void onLinkUp(Link link) {}

        @Override
        public void onFrames(Link link, ByteBuf frames) {}

        @Override
        public void onLinkDown(Link link, String reason) {
            pendingHandshakes.leaves(link);
        }
    }
}
