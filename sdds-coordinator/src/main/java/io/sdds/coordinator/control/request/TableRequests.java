package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.control.parity.ParityAvailability;
import io.sdds.coordinator.control.parity.ParityPlacement;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.control.schedule.IndexReconciler;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.IndexRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Creates, finds and drops tables, and accepts their losses. */
public final class TableRequests implements Reconciler {
    /** Largest number of creations that wait for their bricks. */
    private static final int WAITING_MAX = 1024;

    private final ControlContext our;
    private final Allocator allocator;
    private final PendingMapAcks pendingMapAcks;
    private final SchemaAlterations schemas;
    private final List<Waiting> waiting = new ArrayList<>();

    /** A committed creation. Its client gets the answer when all bricks of the table know the table. */
    private record Waiting(Request request, TableMap table, Set<Place.Member> unheard, long sinceNanos) {}

    public TableRequests(
            ControlContext our, Allocator allocator, PendingMapAcks pendingMapAcks, SchemaAlterations schemas) {
        this.our = our;
        this.allocator = allocator;
        this.pendingMapAcks = pendingMapAcks;
        this.schemas = schemas;
    }

    // ---- creation

    public void create(Request request, CreateTable message) {
        if (refusesOwn(request, message.name())) {
            return;
        }
        List<Candidate> bricks = Placement.inOrder(allocator.candidates());
        Rejected fault = creationFault(message, bricks.size());
        if (fault == null) {
            our.log().propose(command(message, bricks), result -> created(request, result));
        } else {
            request.refuse(fault);
        }
    }

    private @Nullable Rejected creationFault(CreateTable message, int bricks) {
        TableSpec spec = message.spec();
        if (our.state().table(message.name()) != null) {
            return new Rejected(Refusal.TABLE_EXISTS, "table '" + message.name() + "' exists");
        }
        if (waiting.size() >= WAITING_MAX) {
            return new Rejected(Refusal.NOT_READY, WAITING_MAX + " tables are being created");
        }
        String fault = spec.fault();
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        Rejected schema = schemas.creationFault(spec.schema());
        if (schema != null) {
            return schema;
        }
        return bricks < Math.max(spec.replicas(), spec.parity().bricks())
                ? new Rejected(Refusal.TOO_FEW_BRICKS, tooFew(spec, bricks))
                : null;
    }

    private static String tooFew(TableSpec spec, int up) {
        if (!spec.parity().isNone()) {
            return ParityPlacement.tooFew(spec.parity(), up);
        }
        return up == 0
                ? "no brick is up"
                : spec.replicas() + " replicas need as many bricks, and " + up + (up == 1 ? " is up" : " are up");
    }

    private static Command command(CreateTable message, List<Candidate> bricks) {
        TableSpec asked = message.spec();
        int partitions = asked.parity().firstPartitions(asked.kind(), asked.firstPartitions());
        Parity parity = ParityAvailability.atCreation(asked.parity(), partitions, bricks.size());
        TableSpec spec =
                asked.toBuilder().firstPartitions(partitions).parity(parity).build();
        if (parity.isNone()) {
            return new Command.CreateTable(message.name(), spec, hosts(bricks, partitions, spec.replicas()));
        }
        ParityPlacement groups = new ParityPlacement(bricks, parity, partitions);
        return new Command.CreateTable(message.name(), spec, groups.columns(), groups.parities());
    }

    /** Refuses changes of the cluster's own tables, which {@link IndexReconciler} creates and drops. */
    private static boolean refusesOwn(Request request, String name) {
        boolean own = name.startsWith(IndexRecord.OWN_NAMES);
        if (own) {
            request.refuse(
                    Refusal.BAD_REQUEST,
                    "table names that begin with '" + IndexRecord.OWN_NAMES + "' are the cluster's own; '" + name
                            + "' is neither created nor dropped by others");
        }
        return own;
    }

    private static List<Command.Host> hosts(List<Candidate> bricks, int partitions, int replicas) {
        return Placement.spread(bricks, partitions, replicas).stream()
                .map(Candidate::host)
                .toList();
    }

    private Set<Place.Member> members(TableMap table) {
        Set<Place.Member> members = new HashSet<>();
        int id = table.definition().id();
        for (int a = 0; a < our.state().columns(id); a++) {
            members.addAll(our.state().place(id, a).members());
        }
        for (int group = 0; group < our.state().groups(id); group++) {
            members.addAll(our.state().parities(id, group).present());
        }
        return members;
    }

    private void created(Request request, Result result) {
        switch (result) {
            case Result.TableCreated(TableMap table) ->
                waiting.add(
                        new Waiting(request, table, members(table), our.env().nowNanos()));
            case Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("creation gave " + result);
        }
    }

    /** Answers the creations whose bricks all know the table by now. */
    public void onHeartbeat(LiveBrick brick) {
        waiting.removeIf(w -> {
            if (brick.mapVersion() >= w.table().version()) {
                w.unheard().remove(new Place.Member(brick.number(), brick.incarnation()));
            }
            if (w.unheard().isEmpty()) {
                w.request().answer(new TableFound(w.table()));
            }
            return w.unheard().isEmpty();
        });
    }

    /** Refuses creations whose wait is of no use any more or has lasted too long. */
    @Override
    public void tick() {
        waiting.removeIf(w -> {
            int id = w.table().definition().id();
            TableMap table = our.state().table(id);
            if (table == null) {
                w.request().refuse(Refusal.NO_SUCH_TABLE, "the table was dropped meanwhile");
                return true;
            }
            w.unheard().retainAll(members(table)); // does not wait for a lost member
            if (our.state().lostPartitions(id) > 0) {
                w.request()
                        .refuse(
                                Refusal.NOT_READY,
                                "the table exists, but its brick was started again; accept its loss or drop it");
                return true;
            }
            if (our.env().nowNanos() - w.sinceNanos() >= our.settings().createPatienceNanos()) {
                w.request().refuse(Refusal.NOT_READY, "the table exists, but its brick has not confirmed it yet");
                return true;
            }
            return false;
        });
    }

    /** Whether any creation waits for bricks. */
    public boolean anyWaits() {
        return !waiting.isEmpty();
    }

    public void onLinkDown(Link link) {
        waiting.removeIf(w -> w.request().link() == link);
    }

    @Override
    public void onNotLeading() {
        for (Waiting w : waiting) {
            w.request().refuse(Refusal.NOT_LEADER, our.log().leaderAddress());
        }
        waiting.clear();
    }

    // ---- drop, loss

    public void drop(Request request, DropTable message) {
        TableMap table = refusesOwn(request, message.name()) ? null : find(request, message.name());
        if (table != null
                && message.table() != 0
                && message.table() != table.definition().id()) {
            request.refuse(
                    Refusal.NO_SUCH_TABLE,
                    "table '" + message.name() + "' is another one by now, created after the one to drop was gone");
        } else if (table != null) {
            our.log().propose(new Command.DropTable(table.definition().id()), result -> done(request, result));
        }
    }

    public void acceptLoss(Request request, AcceptLoss message) {
        TableMap table = find(request, message.name());
        if (table == null) {
            return;
        }
        List<Command.Host> hosts = Placement.inOrder(allocator.candidates()).stream()
                .map(Candidate::host)
                .toList();
        if (hosts.isEmpty()) {
            request.refuse(Refusal.TOO_FEW_BRICKS, "no brick is up");
            return;
        }
        our.log()
                .propose(
                        new Command.AcceptLoss(table.definition().id(), hosts, message.confirmed()),
                        result -> done(request, result));
    }

    private void done(Request request, Result result) {
        switch (result) {
            case Result.Applied(long version) -> pendingMapAcks.add(request, version);
            case Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("a change of a table gave " + result);
        }
    }

    // ---- lookups

    public void find(Request request, FindTable message) {
        TableMap table = find(request, message.name());
        if (table != null) {
            request.answer(new TableFound(table));
        }
    }

    private @Nullable TableMap find(Request request, String name) {
        TableMap table = our.state().table(name);
        if (table == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table '" + name + "' does not exist");
        }
        return table;
    }

    public void fetchBlock(Request request, FetchBlock message) {
        TableMap table = our.state().table(message.table());
        if (table == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table " + message.table() + " does not exist");
            return;
        }
        AddressBlock block = our.state().block(message.table(), message.block());
        if (block == null && message.block() > 0 && message.block() < AddressBlock.BLOCKS_MAX) {
            // A merge has removed the block since the client heard of it. The table's size tells the client that it is
            // gone.
            block = new AddressBlock(message.table(), message.block(), table.version(), List.of());
        }
        if (block == null) {
            request.refuse(
                    Refusal.BAD_REQUEST,
                    "table '" + table.definition().name() + "' has no address block " + message.block());
            return;
        }
        AddressBlock told = block.forClients(table.partitions());
        request.answer(new BlockFetched(table.asOf(our.state().version()), told, bricksOf(told)));
    }

    private List<BrickInfo> bricksOf(AddressBlock block) {
        Set<Integer> numbers = new TreeSet<>();
        for (Place place : block.places()) {
            place.members().forEach(member -> numbers.add(member.brick()));
        }
        List<BrickInfo> bricks = new ArrayList<>();
        for (int number : numbers) {
            BrickInfo brick = our.state().brick(number);
            if (brick != null) {
                bricks.add(brick);
            }
        }
        return bricks;
    }
}
