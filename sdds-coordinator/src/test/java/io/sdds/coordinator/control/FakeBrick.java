package io.sdds.coordinator.control;

import io.sdds.coordinator.state.MapCopy;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A brick that sends a coordinator what a real brick sends. */
public final class FakeBrick extends FakePeer {
    public static final long MEMORY_BYTES = 1L << 30;
    private static final long BEAT_MILLIS = 200;

    /** The time that {@link #beat} takes. */
    private static final long ANSWER_MILLIS = 2;

    public final String id;
    final long nonce;
    public final MapCopy map = new MapCopy();
    public final List<PartitionLoad> loads = new ArrayList<>();
    public final List<SplitWanted> wanted = new ArrayList<>();
    public final List<MigrationReport> reports = new ArrayList<>();
    public final List<Integer> missed = new ArrayList<>();
    final List<Ranked> ranked = new ArrayList<>();

    public long usedBytes = 1000;

    /** Number of the list of loads; 0 as from a version that lists all loads each time. */
    long loadsNumber;

    long loadsSince;

    /** Whether the last update of the map was to be confirmed at once. */
    boolean confirms;

    /** Whether this brick ignores all changes of the map from now on. */
    public boolean mapStands;

    private String erasureKernel = "";
    private int weight;

    @Nullable
    BrickInfo self;

    public FakeBrick(FakeWorld world, String id, long nonce) {
        super(world);
        this.id = id;
        this.nonce = nonce;
    }

    /** Makes this a brick of a version that supports the features. */
    public FakeBrick thatSupports(long features) {
        supported = features;
        return this;
    }

    /** Makes this a brick that names its erasure kernel. */
    FakeBrick thatUses(String kernel) {
        erasureKernel = kernel;
        return this;
    }

    /** Makes this a brick of a capacity weight in hundredths. */
    public FakeBrick thatWeighs(int hundredths) {
        weight = hundredths;
        return this;
    }

    /** Dials and registers. */
    public FakeBrick join(String coordinator) {
        dial(coordinator, Hello.Role.BRICK, id);
        ControlMessage answer = register();
        if (!(answer instanceof BrickRegistered registered)) {
            throw new AssertionError("not registered: " + answer);
        }
        self = registered.self();
        return this;
    }

    ControlMessage register() {
        return ask(registration());
    }

    public RegisterBrick registration() {
        return new RegisterBrick(id, nonce, id + ":7000", MEMORY_BYTES, erasureKernel, weight);
    }

    public BrickInfo self() {
        if (self == null) {
            throw new IllegalStateException("not registered");
        }
        return self;
    }

    public ControlMessage beat() {
        return ask(heartbeat());
    }

    /** For a time, all of some bricks send a heartbeat each 200 ms. */
    public static void beatFor(FakeWorld world, Duration time, List<FakeBrick> bricks) {
        for (long millis = 0; millis < time.toMillis(); millis += BEAT_MILLIS) {
            world.run(Duration.ofMillis(BEAT_MILLIS - ANSWER_MILLIS * bricks.size()));
            bricks.forEach(FakeBrick::beat);
        }
    }

    /**
     * Sends the changes since a list, or, with 0, all loads. Returns the number of the list that the coordinator has
     * then.
     */
    long tell(long number, long since, PartitionLoad... listed) {
        loads.clear();
        loads.addAll(List.of(listed));
        loadsNumber = number;
        loadsSince = since;
        return ((MapUpdate) beat()).loadsKnown();
    }

    Heartbeat heartbeat() {
        return heartbeatAt(map.version());
    }

    /** A heartbeat of a brick that knows the map at a version. */
    Heartbeat heartbeatAt(long mapVersion) {
        return new Heartbeat(
                self().number(),
                self().incarnation(),
                mapVersion,
                usedBytes,
                new BrickCounters(1, 2, 3, 4, 0, MigrationCounters.NONE),
                List.copyOf(loads),
                List.copyOf(wanted),
                List.copyOf(reports),
                List.copyOf(missed),
                loadsNumber,
                loadsSince,
                List.copyOf(ranked));
    }

    @Override
    protected void onAnswer(ControlMessage message) {
        if (message instanceof MapUpdate update && !mapStands) {
            map.take(update);
            confirms = update.confirm();
        }
    }
}
