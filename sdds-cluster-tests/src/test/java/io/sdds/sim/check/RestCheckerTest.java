package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.check.RestChecker.Image;
import io.sdds.sim.check.RestChecker.Requests;
import io.sdds.sim.check.RestChecker.Unread;
import io.sdds.sim.check.RestChecker.WindowUse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures that add up give no line, and each that is off by one its own. */
class RestCheckerTest {
    private static final Requests RIGHT = new Requests("b1", 10, 7, 3);

    @Test
    void eachRequestIsEitherAcceptedOrRefused() {
        assertThat(RestChecker.requestsMiscounted(List.of(RIGHT, new Requests("b2", 0, 0, 0))))
                .isEmpty();
        for (Requests wrong : List.of(
                new Requests("b2", 10, 7, 2),
                new Requests("b2", 10, 6, 3),
                new Requests("b2", 9, 7, 3),
                new Requests("b2", 11, 7, 3))) {
            assertThat(RestChecker.requestsMiscounted(List.of(RIGHT, wrong)))
                    .singleElement()
                    .asString()
                    .startsWith("b2 was offered");
        }
    }

    @Test
    void whatOneBrickLacksAnotherCantMakeUpFor() {
        assertThat(RestChecker.requestsMiscounted(List.of(new Requests("b1", 10, 9, 0), new Requests("b2", 10, 11, 0))))
                .hasSize(2);
    }

    @Test
    void anImageMayBeBehindAndNotAhead() {
        List<Image> images = List.of(new Image("client1", 3), new Image("client2", 5));
        assertThat(RestChecker.imagesAhead(images, 5)).isEmpty();
        assertThat(RestChecker.imagesAhead(images, 4)).containsExactly("client2 still believes in 5 partitions of 4");
        assertThat(RestChecker.imagesAhead(images, 2)).hasSize(2);
    }

    @Test
    void nothingOfAWindowIsTaken() {
        WindowUse empty = new WindowUse("client1", 0, 0);
        assertThat(RestChecker.windowsTaken(List.of(empty))).isEmpty();
        for (WindowUse wrong : List.of(
                new WindowUse("client2", 1, 0), new WindowUse("client2", 0, 1), new WindowUse("client2", -1, 0))) {
            assertThat(RestChecker.windowsTaken(List.of(empty, wrong)))
                    .singleElement()
                    .asString()
                    .startsWith("client2 counts");
        }
    }

    @Test
    void nothingIsLeftUnread() {
        Unread nothing = new Unread("b1", 0);
        assertThat(RestChecker.leftUnread(List.of(nothing))).isEmpty();
        for (long bytes : new long[] {1, -1}) {
            assertThat(RestChecker.leftUnread(List.of(nothing, new Unread("b2", bytes))))
                    .singleElement()
                    .asString()
                    .startsWith("b2 counts");
        }
    }

    @Test
    void onlyTheBuffersThatStagesWorkInAreHeld() {
        assertThat(RestChecker.buffersHeld(List.of("one", "two"), 2)).isEmpty();
        assertThat(RestChecker.buffersHeld(List.of("one", "two", "three"), 2)).hasSize(3);
    }
}
