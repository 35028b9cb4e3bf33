package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.MessageSender;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Names;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.StateLimits;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.BrickWeight;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers bricks, takes their heartbeats, notices silent bricks, and sends changes of the map to bricks. */
public final class BrickRegistry implements Reconciler {
    private static final String REPLACED = "another process has registered in this one's place";
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Largest length of the name of an erasure kernel. */
    private static final int KERNEL_NAME_MAX = 32;

    private static final Logger log = LoggerFactory.getLogger(BrickRegistry.class);

    private final ControlContext our;
    private final MessageSender outbox;
    private final FailureDetector groups;
    private final TreeMap<Integer, LiveBrick> live = new TreeMap<>();
    private long leadingSinceNanos;

    public BrickRegistry(ControlContext our, MessageSender outbox, FailureDetector groups) {
        this.our = our;
        this.outbox = outbox;
        this.groups = groups;
    }

    // ---- registration

    public void register(Request request, RegisterBrick message) {
        if (lacksFeatures(request)) {
            return;
        }
        String fault = fault(message);
        if (fault != null) {
            request.refuse(Refusal.BAD_REQUEST, fault);
            return;
        }
        BrickInfo known = our.state().brick(message.id());
        Command command = new Command.RegisterBrick(
                message.id(),
                message.nonce(),
                message.address(),
                message.memoryLimitBytes(),
                known == null ? 0 : known.incarnation());
        if (known == null || our.state().hasNonce(message.id(), message.nonce())) {
            our.log().propose(command, result -> registered(request, message, result));
            return;
        }
        if (refuseReplaced(request, known) || refuseWhileOldOneMayLive(request, known)) {
            return;
        }
        groups.beingReplaced(known.number(), true);
        our.log().propose(command, result -> {
            groups.beingReplaced(known.number(), false);
            registered(request, message, result);
        });
    }

    /**
     * Refuses a process that was registered before another one took its place. Its hello names its incarnation. A new
     * process has none; the present process has its nonce, and a leader that lags behind knows an older incarnation.
     */
    private static boolean refuseReplaced(Request request, BrickInfo known) {
        long incarnation = request.link().peer().incarnation();
        boolean replaced = incarnation > 0 && incarnation < known.incarnation();
        if (replaced) {
            request.refuse(Refusal.DUPLICATE_BRICK, REPLACED);
        }
        return replaced;
    }

    /** Refuses a brick without a feature that the cluster uses, because the brick would not understand other nodes. */
    private boolean lacksFeatures(Request request) {
        long lacking = our.state().features() & ~request.link().peer().features();
        if (lacking != 0) {
            request.refuse(
                    Refusal.BAD_REQUEST,
                    "the cluster uses the features " + Features.text(lacking)
                            + ", which this brick's version does not support; start a newer one");
        }
        return lacking != 0;
    }

    private static @Nullable String fault(RegisterBrick message) {
        if (message.address().isEmpty() || message.address().length() > StateLimits.ADDRESS_MAX) {
            return "a brick's address has 1 to " + StateLimits.ADDRESS_MAX + " characters";
        }
        if (!Printable.of(message.address(), StateLimits.ADDRESS_MAX).equals(message.address())) {
            return "a brick's address has no control characters";
        }
        if (message.memoryLimitBytes() <= 0) {
            return "a brick's memory limit is more than 0 bytes, not " + message.memoryLimitBytes();
        }
        if (!BrickWeight.isValid(message.weight())) {
            return "a brick's weight is from 0.1 to 100, not " + message.weight() / 100.0;
        }
        return Names.idFault(message.id());
    }

    /**
     * Refuses a process that has the name of a process that may live. Otherwise the copies of the living process would
     * count as lost.
     */
    private boolean refuseWhileOldOneMayLive(Request request, BrickInfo known) {
        LiveBrick old = live.get(known.number());
        if (old != null && isUp(old)) {
            request.refuse(
                    Refusal.DUPLICATE_BRICK,
                    "brick '" + known.id() + "' is here already, at " + known.address() + "; give this one another id");
            return true;
        }
        if (groups.isBeingReplaced(known.number())) {
            request.refuse(
                    Refusal.NOT_READY, "another process is registering as brick '" + known.id() + "'; try again");
            return true;
        }
        if (!groups.mayBeReplaced(known.number())) {
            request.refuse(
                    Refusal.NOT_READY,
                    "the process that was brick '" + known.id() + "' may still answer reads; try again in "
                            + groups.waitMillis(known.number()) + " ms");
            return true;
        }
        long leadingNanos = our.env().nowNanos() - leadingSinceNanos;
        if (old == null
                && our.state().places(known.number()) > 0
                && leadingNanos < our.settings().silenceNanos()) {
            long waitMillis = (our.settings().silenceNanos() - leadingNanos) / NANOS_PER_MILLI + 1;
            request.refuse(
                    Refusal.NOT_READY,
                    "the process that was brick '" + known.id() + "' may still live; try again in " + waitMillis
                            + " ms");
            return true;
        }
        return false;
    }

    /** A process has ended. The process itself tells this, or the program that started it. */
    public void ended(Request request, BrickEnded message) {
        Hello teller = request.link().peer();
        boolean mayTell = teller.role() == Hello.Role.CLIENT
                || teller.role() == Hello.Role.BRICK && teller.name().equals(message.id());
        BrickInfo brick = our.state().brick(message.id());
        if (!mayTell || brick == null || message.incarnation() > brick.incarnation()) {
            request.refuse(
                    Refusal.BAD_REQUEST,
                    "brick '" + message.id() + "' has no incarnation " + message.incarnation()
                            + ", or this sender may not tell that it has ended");
        } else if (our.state().awaitsEnd(brick.number(), message.incarnation())) {
            Command command = new Command.BrickEnded(brick.number(), message.incarnation());
            our.log().propose(command, result -> ended(request, message, brick.number(), result));
        } else {
            request.answer(new Done(our.state().version()));
        }
    }

    private void ended(Request request, BrickEnded message, int brick, Result result) {
        switch (result) {
            case Result.Applied(long version) -> {
                log.info("brick {} incarnation {} has ended", message.id(), message.incarnation());
                groups.removeIfEnded(brick);
                request.answer(new Done(version));
            }
            case Result.Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("an end gave " + result);
        }
    }

    private void registered(Request request, RegisterBrick message, Result result) {
        switch (result) {
            case Result.Registered(BrickInfo self) -> admit(request, message, self);
            case Result.Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("registration gave " + result);
        }
    }

    private void admit(Request request, RegisterBrick message, BrickInfo self) {
        Link link = request.link();
        if (!link.isUp() || !our.log().isLeader()) {
            return;
        }
        LiveBrick old = live.get(self.number());
        if (old == null || old.link() != link || old.incarnation() != self.incarnation()) {
            String kernel = Printable.of(message.erasureKernel(), KERNEL_NAME_MAX);
            LiveBrick brick = new LiveBrick(
                    self,
                    link,
                    kernel,
                    BrickWeight.orDefault(message.weight()),
                    our.env().nowNanos());
            live.put(self.number(), brick);
            link.attach(brick);
            log.info("brick {} is here: {} incarnation {}", self.id(), self.address(), self.incarnation());
            if (old != null && old.link() != link) {
                old.link().attach(null);
                old.link().close();
            }
        }
        request.answer(new BrickRegistered(self));
    }

    // ---- heartbeats

    /** Takes a heartbeat; null when it was refused. */
    public @Nullable LiveBrick hear(Request request, Heartbeat heartbeat) {
        LiveBrick brick = (LiveBrick) request.link().attachment();
        if (our.state().brick(heartbeat.brick()) != null
                && !our.state().isCurrent(heartbeat.brick(), heartbeat.incarnation())) {
            request.refuse(Refusal.DUPLICATE_BRICK, REPLACED);
            return null;
        }
        if (brick == null || live.get(heartbeat.brick()) != brick || brick.incarnation() != heartbeat.incarnation()) {
            request.refuse(Refusal.NOT_READY, "this link has no registered brick; register first");
            return null;
        }
        if (heartbeat.mapVersion() > our.state().version()) {
            request.refuse(
                    Refusal.BAD_REQUEST,
                    "the brick knows map version " + heartbeat.mapVersion() + ", this coordinator's is "
                            + our.state().version() + ": they are of different clusters");
            return null;
        }
        if (lacksFeatures(request)) {
            return null;
        }
        brick.heard(heartbeat, our.env().nowNanos());
        groups.heard(brick.number(), heartbeat.mapVersion());
        if (brick.silent()) {
            brick.silent(false);
            log.info("brick {} sends heartbeats again", brick.number());
        }
        return brick;
    }

    /** @param confirm whether a client waits until the bricks know the map */
    public void answer(Request request, LiveBrick brick, boolean confirm) {
        if (request.link().isFull()) {
            request.refuse(Refusal.NOT_READY, "the brick is behind with reading");
            return;
        }
        MapUpdate update = our.state().changesSince(brick.knownOrSentVersion());
        brick.answered(update.toVersion());
        request.answer(update.inAnswer(
                groups.leaseMillis(brick.number()),
                our.state().drains(brick.number()),
                brick.loadsKnown(),
                confirm && update.toVersion() > update.fromVersion()));
    }

    /**
     * Sends the changes of the map to all bricks.
     *
     * @param confirm whether a client waits until the bricks know the map
     */
    public void pushMap(boolean confirm) {
        long version = our.state().version();
        Map<Long, List<Link>> links = new TreeMap<>();
        for (LiveBrick brick : live.values()) {
            if (brick.heartbeaten()
                    && brick.sentVersion() < version
                    && brick.link().isUp()
                    && !brick.link().isFull()) {
                links.computeIfAbsent(brick.sentVersion(), v -> new ArrayList<>())
                        .add(brick.link());
                brick.sent(version);
            }
        }
        links.forEach((sentVersion, behind) ->
                outbox.notice(behind, our.state().changesSince(sentVersion).inNotice(confirm)));
    }

    /** Logs bricks that have fallen silent. */
    @Override
    public void tick() {
        for (LiveBrick brick : live.values()) {
            if (!brick.silent()
                    && brick.silentNanos(our.env().nowNanos()) >= our.settings().silenceNanos()) {
                brick.silent(true);
                log.warn("brick {} is silent", brick.number());
            }
        }
    }

    /** Forgets the bricks, because heartbeats to an earlier leader do not count. */
    @Override
    public void onLeading() {
        leadingSinceNanos = our.env().nowNanos();
        live.clear();
    }

    // ---- who is here

    /** The bricks that have registered since this coordinator leads, by number. */
    public Collection<LiveBrick> all() {
        return Collections.unmodifiableCollection(live.values());
    }

    /**
     * The map version that every live brick knows. Bricks that are silent, or have sent no heartbeat yet, do not count.
     */
    long versionKnownToAll() {
        return live.values().stream()
                .filter(brick ->
                        brick.heartbeaten() && !brick.silent() && !brick.link().isDown())
                .mapToLong(LiveBrick::mapVersion)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** The number of bricks that have registered and sent a heartbeat. */
    public int heardCount() {
        return (int) live.values().stream().filter(LiveBrick::heartbeaten).count();
    }

    /** The capacity weight of a brick in hundredths. A brick that has not registered here has the default weight. */
    public int weight(int number) {
        LiveBrick brick = live.get(number);
        return brick == null ? BrickWeight.DEFAULT_HUNDREDTHS : brick.weight();
    }

    /** The present process of a brick, if it has registered here; else null. */
    public @Nullable LiveBrick get(int number) {
        LiveBrick brick = live.get(number);
        return brick != null && our.state().isCurrent(number, brick.incarnation()) ? brick : null;
    }

    /** The process of a brick that registered here last, present or replaced; else null. */
    public @Nullable LiveBrick heardLast(int number) {
        return live.get(number);
    }

    /** Whether a brick can take new partitions or copies. */
    public boolean isUp(LiveBrick brick) {
        return brick.link().isUp()
                && brick.silentNanos(our.env().nowNanos()) < our.settings().silenceNanos();
    }

    /** Whether this coordinator has heard a process lately. A new leader has heard no process at first. */
    public boolean hears(Place.Member process) {
        LiveBrick brick = get(process.brick());
        return brick != null && isUp(brick) && groups.lives(process);
    }

    /** Whether this coordinator has heard a process lately, and the process knew a version of the map by then. */
    public boolean hears(Place.Member process, long mapVersion) {
        LiveBrick brick = get(process.brick());
        return brick != null && brick.mapVersion() >= mapVersion && hears(process);
    }

    /**
     * Whether a partition's group is as it should be: a replica group has as many members as the bricks allow, and no
     * member joins or leaves; the parity group of a column lacks no member and repairs none.
     */
    public boolean isWhole(TableMap table, int partition) {
        int id = table.definition().id();
        if (table.definition().hasParity()) {
            int group = table.definition().parity().group(partition);
            return our.state().parityGroup(id, group).isWhole(groups::isGone);
        }
        long up = live.values().stream()
                .filter(brick -> get(brick.number()) == brick && isUp(brick))
                .count();
        int members = our.state().place(id, partition).members().size();
        return members >= Math.min(table.definition().replicas(), up)
                && !our.state().isGroupChanging(id, partition);
    }

    /** The time since a brick's last heartbeat, or since this coordinator leads if there was none. */
    public long silentNanos(int number) {
        LiveBrick brick = get(number);
        long now = our.env().nowNanos();
        return brick == null ? now - leadingSinceNanos : brick.silentNanos(now);
    }
}
