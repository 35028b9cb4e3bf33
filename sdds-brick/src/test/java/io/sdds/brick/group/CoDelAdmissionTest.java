package io.sdds.brick.group;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CoDelAdmissionTest {
    private static final long MANY = CoDelAdmission.WRITES_MAX + 1;
    private static final long MILLI = 1_000_000;

    private long now = -1;
    private final CoDelAdmission writes = new CoDelAdmission(() -> now);

    @Test
    void aBurstMayUseAllTheRoomThereIs() {
        assertTrue(writes.admits(MANY, true));
        assertFalse(writes.admits(MANY, false));
        assertTrue(writes.admits(MANY - 1, true) && writes.admits(MANY, true), "when there is room again");
    }

    @Test
    void whereThereIsNoRoomForAWholeIntervalFewerMayWait() {
        refuseForAnInterval();

        assertFalse(writes.admits(MANY, true));
        assertTrue(writes.admits(CoDelAdmission.WRITES_MAX - 1, true));
    }

    @Test
    void aBurstNowAndThenIsNoStandingQueue() {
        for (int k = 0; k < 10; k++) {
            assertFalse(writes.admits(MANY, false));
            now += CoDelAdmission.INTERVAL_NANOS + 1;
            assertTrue(writes.admits(MANY, true), "burst " + k);
        }
    }

    @Test
    void aQueueStandsUntilNothingHadToBeRefusedForAnInterval() {
        refuseForAnInterval();
        now += CoDelAdmission.INTERVAL_NANOS - MILLI;
        assertFalse(writes.admits(MANY, true), "not yet");

        now += CoDelAdmission.INTERVAL_NANOS + 1;
        assertTrue(writes.admits(MANY, true));
    }

    private void refuseForAnInterval() {
        for (long end = now + CoDelAdmission.INTERVAL_NANOS + MILLI; now <= end; now += MILLI) {
            assertFalse(writes.admits(MANY, false));
        }
    }
}
