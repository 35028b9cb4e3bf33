package io.sdds.cli.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signal TERM, as something that a process hears. */
final class Term {
    /*
     * A shutdown hook can't refuse to end, and Java has no other way to hear of a signal than sun.misc.Signal, of the
     * module jdk.unsupported, which each JDK has. It is reached by reflection, as other programs do: the compiler can't
     * be told not to warn of it. Where it is missing, TERM ends the process at once, as without this class.
     */
    private static final Logger log = LoggerFactory.getLogger(Term.class);

    private Term() {}

    /** From now on each TERM runs the task, on a thread of its own. */
    static void handle(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler heard = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    task.run();
                }
                return null;
            };
            Object handling = Proxy.newProxyInstance(Term.class.getClassLoader(), new Class<?>[] {handler}, heard);
            Object term = signal.getConstructor(String.class).newInstance("TERM");
            signal.getMethod("handle", signal, handler).invoke(null, term, handling);
        } catch (ReflectiveOperationException e) {
            log.warn("this JVM does not let TERM be heard: it ends the process at once", e);
        }
    }
}
