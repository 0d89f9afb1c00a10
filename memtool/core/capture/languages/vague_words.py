"""Words that name nothing, in ten languages: what is left of "let's do it" or "no, that's wrong".

Pronouns, articles, particles of assent and politeness, and nouns that point at what was said before ("this
approach"). The words are folded. Continuous scripts have no word ends, so theirs are parts of a pattern.
"""

from __future__ import annotations

_ENGLISH = """
    a an the it its it's this that that's these those them they he she his her him you you're your we our us i i'm
    i'll me my one ones so do does did is are was were be been not no nope yes yeah yep ok okay sure right all same
    way ways approach approaches plan plans idea ideas option options step steps suggestion suggestions solution
    method route path thing things stuff choice version strategy proposal recommendation recommendations answer
    with for of on in to at as about from and but or then now first next just please pls thanks thank again too also
    well here there then instead really actually let's lets go use try have has had can could would will think guess
    sounds good great fine perfect cool nice alright sorry oops hey oh hmm wait mind never nevermind already either
    wrong incorrect correct false true mistaken mistake error accurate misunderstood misread misspoke completely
    totally quite exactly what said meant asked wanted mean still more something anything nothing everything better
    best different another both scratch strike take back
"""
_GERMAN = """
    das die der den dem des ein eine einen es dies diese diesen dieser dieses er sie ihr ihn ihm wir uns ich du mich
    mir dir dich so ja nein nee ne noe ok okay gut gerne gern bitte danke dann jetzt mal doch auch noch nur also halt
    eben schon einfach genau alles nichts etwas was wie mit fur fuer und oder aber von zu im in am an auf bei nicht
    weg weise ansatz plan vorschlag idee variante option losung loesung schritt art machen mach macht tun ist war
    falsch richtig korrekt stimmt wahr verkehrt leider verstanden gemeint meinte sagen gesagt wollte irrtum
    quatsch eigentlich vielmehr zuruck nehme wieder beschlossen abgemacht entschieden sind hast habe hat haben
"""
_FRENCH = """
    le la les l un une des du de d ce c'est cela ca c cette ces il elle on nous vous tu je j moi toi lui y en et ou
    mais donc alors bon ok oui non ouais allez bien merci s'il te plait plus tres tout rien comme ainsi cette facon
    approche plan idee option solution methode etape proposition suggestion maniere chose faire fais fait faisons
    va vais allons avec pour sur dans a au aux est etait n'est n pas ne faux vrai correct juste incorrect exact errone
    inexact compris dit voulais dire trompe trompes trompez mal plutot fait realite decide regle entendu si aussi
"""
_SPANISH = """
    el la los las lo un una unos unas esto eso este esta ese esa estos esas ello asi como yo tu usted nosotros me te
    se le nos mi que si no ya vale venga bueno pues ok entonces gracias por favor muy bien mal todo nada mas tambien
    y o pero de del a al en con para plan idea opcion propuesta solucion metodo paso enfoque manera forma sugerencia
    hacer hacerlo hagamos hagamoslo vamos va es son era fue esta incorrecto falso correcto cierto verdad equivocas
    equivocado equivocaste entendiste entendido quise queria decir realidad hecho decidido trato
"""
_PORTUGUESE = """
    o a os as um uma uns umas isto isso este esta esse essa estes essas ele ela eu tu voce nos me te se lhe meu assim
    como que sim nao ja ok beleza entao bom bem mal pois obrigado obrigada por favor muito tudo nada mais tambem e ou
    mas de do da em no na com para pra plano ideia opcao proposta solucao metodo passo abordagem maneira forma jeito
    sugestao fazer facamos vamos vai e eh ta esta errado incorreto falso certo verdade correto enganou enganei
    entendeu entendeste quis queria dizer realidade decidido fechado fechou combinado bora tao
"""
_RUSSIAN = """
    это этот эта эти этого этой этому этим этом то тот та те того той так такой таким он она оно они его ее их ему ей
    я ты вы мы мне меня тебя вас нас нам мой все всё да нет не ни ну ок окей ладно хорошо давай давайте тогда итак
    короче же бы ли вот уже еще и а но или с в на по к за из для от как что план вариант идея подход способ решение
    предложение шаг сделаем делаем сделать будем буду пожалуйста спасибо неверно неправильно верно правильно неправда
    ошибка ошибочно ошибаешься ошибаетесь неправ права правда понял поняла поняли ошибся ошиблась самом деле
    вообще-то точнее вернее имел имела виду хотел хотела сказать решил решили решила решено совсем
"""
_TURKISH = """
    bu su o bunu sunu onu bunun onun boyle soyle oyle bunlar sen siz ben biz bana sana bize bir sey hicbir hayir yok evet
    tamam peki olur hadi haydi gelin simdi sonra da de ki mi mu ve veya ama ile icin gibi daha cok hep plan fikir
    oneri secenek yol yontem adim cozum yaklasim sekilde yapalim edelim devam gidelim yap yapma degil dogru yanlis
    hatali anladin anladiniz anlamissin aslinda dogrusu lutfen tesekkurler demek istedim istedigim kastettim ya yani
    karar verdik verdim aldik kildik
"""
_UZBEK = """
    bu shu o'sha u buni shuni uni bunday shunday unday bunaqa sen siz men biz menga senga bizga bir narsa hech yo'q ha
    mayli xo'p keling kelinglar qani endi hozir keyin ham va yoki lekin uchun bilan kabi juda yana reja fikr taklif
    variant yo'l usul qadam yechim qilaylik qilamiz qil qilma boshlaylik emas to'g'ri noto'g'ri xato rost tushunding
    tushundingiz aslida iltimos rahmat demoqchi aytmoqchi edim bo'lganim qaror qildik qildim unda
"""
VAGUE_WORDS = frozenset(
    " ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _RUSSIAN, _TURKISH, _UZBEK)).split()
)
VAGUE_CONTINUOUS = (
    r"不对|不對|错了|錯了|错的|錯的|不正确|不正確|不是这样|不是這樣|这样|這樣|那样|那樣|这个|這個|那个|那個|它们|它|这|這|那|这种|这么|這麼"
    r"|我们|我們|咱们|咱們|我|你|您|他|她|就|还是|還是|也|都|的|了|吧|呢|啊|呀|嘛|是|好|行|可以|对|對|不|先|来|來|再|一下|一起"
    r"|方案|方法|办法|辦法|主意|建议|建議|选项|計劃|计划|步骤|其实|其實|事实上|更正|纠正|糾正|用|做|弄|搞|理解|误会|说|說|想|要"
    r"|决定|決定|定|谢谢|謝謝|请|請|那么|那麼|那就"
    r"|それ|これ|あれ|そう|こう|この|その|あの|方法|やり方|案|プラン|アイデア|提案|じゃあ|では|はい|いや|いいえ|うん"
    r"|了解|よし|間違|違[いうっ]?|ちが[いう]|です|ます|でした|ました|ませ|ない|くて|だ|よ|ね|は|が|を|に|で|と|も|の|て|い|う|た|な"
    r"|しましょう|しよう|いこう|行こう|いきましょう|行きましょう|やって|みましょう|する|こと|実|正|訂|決め|お願い|ください"
)
