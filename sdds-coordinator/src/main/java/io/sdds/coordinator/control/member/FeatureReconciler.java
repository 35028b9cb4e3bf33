package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.state.Command;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.protocol.Features;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Activates features of the cluster when all bricks and coordinators support them. */
public final class FeatureReconciler implements Reconciler {
    private static final Logger log = LoggerFactory.getLogger(FeatureReconciler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private long supported = Features.ALL;
    private boolean proposed;

    public FeatureReconciler(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    /** The features that this coordinator supports. */
    public long supported() {
        return supported;
    }

    public void supported(long features) {
        supported = features;
    }

    @Override
    public void onLeading() {
        proposed = false;
    }

    @Override
    public void tick() {
        long features = supportedByAll() & Features.OF_CLUSTER & ~our.state().features();
        if (features == 0 || proposed) {
            return;
        }
        proposed = true;
        our.log().propose(new Command.ActivateFeatures(features, our.state().bricksVersion()), result -> {
            proposed = false;
            if ((our.state().features() & features) == features) {
                log.info(
                        "all bricks and coordinators support the features {}: they are active",
                        Features.text(features));
            }
        });
    }

    /**
     * The features that all coordinators support, and all bricks that are up or have a partition by the map; 0 while
     * one of these is away, or no brick is up.
     */
    private long supportedByAll() {
        long features = supported & our.log().featuresOfOthers();
        boolean any = false;
        for (BrickInfo info : our.state().bricks()) {
            LiveBrick brick = bricks.get(info.number());
            if (brick != null && bricks.isUp(brick)) {
                features &= brick.link().peer().features();
                any = true;
            } else if (our.state().places(info.number()) > 0) {
                return 0;
            }
        }
        return any ? features : 0;
    }

    /**
     * @throws IllegalStateException when a feature is active that this coordinator does not support, because it cannot
     *     interpret the log from there on
     */
    public void requireSupported() {
        long lacking = our.state().features() & ~supported;
        if (lacking != 0) {
            throw new IllegalStateException("the cluster uses the features " + Features.text(lacking)
                    + ", which this version does not support; start a newer one");
        }
    }
}
